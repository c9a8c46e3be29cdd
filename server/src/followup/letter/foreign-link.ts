import { domainToASCII } from "node:url";

/**
 * Returns whether a text contains something that a mail program would turn into a link to a host outside
 * the list: a URL, a mail address, or just a name with a dot. When in doubt, it does: a file name
 * such as `notes.md` is also a host name.
 *
 * @param before the end of what stands before it, with which it may be a link: `evil.` and `com` on the next line.
 */
export function hasForeignLink(
  text: string,
  allowedHosts: readonly string[],
  before = "",
): boolean {
  const allowed = new Set(allowedHosts.map(asciiHost).filter((host) => host !== ""));
  let rest = asReadersSeeIt(text);
  if (OTHER_SCHEME.test(rest) || (isSpread(`${before} ${text}`) && !isSpread(before))) return true;
  const hosts: (string | undefined)[] = [];
  // Each kind is removed before the next is searched for: a path, or the name before an `@`, is not a host.
  for (const [kind, hostOf] of KINDS) {
    rest = rest.replaceAll(kind, (address: string, host: string) => {
      hosts.push(hostOf(address, host));
      return " ";
    });
  }
  return hosts.some((host) => host === undefined || !allowed.has(asciiHost(host)));
}

/**
 * The full stop of Chinese and Japanese, which no space follows. Browsers read it as the dot of a host
 * name. It is taken for one behind another script, and before Latin letters that are a whole word.
 */
export const IDEOGRAPHIC_STOP: string = String.raw`(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])。(?![\p{sc=Latin}\p{N}-]+(?![\p{L}\p{N}-]))`;
const STOP_OR_DOT = new RegExp(`(${IDEOGRAPHIC_STOP})|。`, "gu");

/** Normalises as browsers do: other dots, full-width letters and invisible characters. */
function asReadersSeeIt(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(STOP_OR_DOT, (_mark, stop: string | undefined) => stop ?? ".")
    .replaceAll(OTHER_DOTS, ".");
}

/** Endings of hosts that readers know; of those with two letters only what a path follows, since many are words. */
const ENDING = String.raw`(?:(?:com|net|org|info|biz|app|dev|shop|online|site|xyz|top|co|io|ai)(?![\p{L}\p{N}-])|[a-z]{2}(?=[\/:?#]))`;

/** What looks like a dot in a host name: `evil۔com`, `evil·com`. */
const OTHER_DOTS = new RegExp(
  String.raw`(?<=[a-z0-9])[\u06D4\xB7\u2022\u2027\u2219\u22C5\u30FB](?=${ENDING})`,
  "giu",
);

function isSpread(text: string): boolean {
  const seen = asReadersSeeIt(text);
  return SPREAD.test(seen) || SPELLED.test(seen);
}

/** `evil. com`. With a capital it would begin a sentence. */
const SPREAD = new RegExp(String.raw`[\p{L}\p{N}](?:\s*\.\s+|\s+\.)${ENDING}`, "u");

/** `evil dot com`. */
const SPELLED = new RegExp(
  String.raw`[\p{L}\p{N}][\s_(\[-]+(?:dot|punkt|point|punto|ponto|punt|kropka|tečka|nokta|точка|ドット|点)[\s_)\]-]+${ENDING}`,
  "iu",
);

/** Schemes that open a program without a slash after the colon. */
const OTHER_SCHEME =
  /(?<![\p{L}\p{N}])(?:https?|ftp|file|tel|sms|callto|javascript|data|intent|geo|skype|whatsapp|tg|bitcoin):(?![/\\\s])\S/iu;

/** A dotted name whose last label starts with a letter, or an IPv4 address. */
const HOST = String.raw`((?:[\p{L}\p{N}\p{M}_-]+\.)+\p{L}[\p{L}\p{N}\p{M}_-]+|\d+(?:\.\d+){3})(?![\p{L}\p{N}\p{M}_-])`;

const KINDS: readonly [RegExp, (address: string, host: string) => string | undefined][] = [
  // Browsers treat a backslash as a slash.
  [/([a-z][a-z0-9+.-]*:[/\\]+[^\s<>"]*)/giu, hostOfUrl],
  [new RegExp(String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@${HOST}`, "gu"), nameGiven],
  [
    new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}_-])${HOST}(?::\d+)?(?:[/\\?#][^\s<>"]*)?`, "gu"),
    nameGiven,
  ],
];

function hostOfUrl(address: string): string | undefined {
  const url = URL.parse(address.replace(/[.,;:!?)\]}'’”»]+$/u, ""));
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.hostname : undefined;
}

function nameGiven(_address: string, host: string): string {
  return host;
}

function asciiHost(host: string): string {
  return domainToASCII(host).replace(/\.$/, "");
}
