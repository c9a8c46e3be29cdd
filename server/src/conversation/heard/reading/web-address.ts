import type { Rule } from "./rule.ts";
import type { ReadingLocale } from "./reading-locale.ts";

/** Addresses with a scheme, which is never said. In a language we do not know the rest stays as it is. */
export function schemeRule(locale: ReadingLocale | undefined): Rule {
  return {
    pattern: /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/(?:[^\s<>"]*[^\s<>".,!?;:)\]'…»”])?/giu,
    say: ([address]) => spell(address.replace(/^.*?:\/\//u, ""), locale),
  };
}

/** Mail addresses, and names of sites that people would see as such: "acme.com/pricing". */
export function addressRules(locale: ReadingLocale): Rule[] {
  const say = ([address]: RegExpExecArray): string => spell(address, locale);
  return [
    { pattern: MAIL, say },
    { pattern: SITE, say },
  ];
}

const HOST = String.raw`[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*`;
const PATH = String.raw`(?:\/(?:[^\s<>"]*[^\s<>".,!?;:)\]'…»”])?)?`;
const ENDINGS =
  "com|org|net|info|biz|io|ai|dev|app|shop|store|cloud|tech|eu|de|at|ch|fr|be|es|mx|pt|br|it|nl|pl|uk|ca|au|us|jp";

const MAIL = new RegExp(
  String.raw`(?<![\p{L}\p{N}._%+-])(?:mailto:)?[\p{L}\p{N}._%+-]+@${HOST}\.\p{L}{2,}`,
  "gu",
);
const SITE = new RegExp(
  String.raw`(?<![\p{L}\p{N}@.\-/:])(?:www\.${HOST}|${HOST}\.(?:${ENDINGS}))(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])${PATH}`,
  "gu",
);

/** Without what is only for machines: the scheme, "www" and what follows a question mark. */
function spell(address: string, locale: ReadingLocale | undefined): string {
  const said = address
    .replace(/^(?:mailto:)?(?:www\.)?/iu, "")
    .replace(/[?#].*$/u, "")
    .replace(/(?<!\/)\/+$/u, "")
    .replaceAll("://", " ");
  if (locale === undefined) return said;
  const names: Record<string, string> = locale.signs;
  return said.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, (sign) => ` ${names[sign] ?? ""} `).trim();
}
