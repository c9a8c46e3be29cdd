import { domainToASCII } from "node:url";

/**
 * Whether a text holds something that a mail program would make a link of, to a host that is not
 * among these: an address with a scheme, a mail address, or just a name with a dot in it. In doubt
 * it does: a file name such as `notes.md` is a host too.
 */
export function hasForeignLink(text: string, allowedHosts: readonly string[]): boolean {
  const allowed = new Set(allowedHosts.map(asciiHost).filter((host) => host !== ""));
  let rest = asReadersSeeIt(text);
  if (OTHER_SCHEME.test(rest)) return true;
  const hosts: (string | undefined)[] = [];
  // Each kind is taken out before the next is looked for: a path or the name before an `@` is no host.
  for (const [kind, hostOf] of KINDS) {
    rest = rest.replaceAll(kind, (address: string, host: string) => {
      hosts.push(hostOf(address, host));
      return " ";
    });
  }
  return hosts.some((host) => host === undefined || !allowed.has(asciiHost(host)));
}

/** With what browsers fold: other dots, wide letters, and what has no width at all. */
function asReadersSeeIt(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll("。", ".");
}

/** What a program may be started by with no slash behind the colon. */
const OTHER_SCHEME =
  /(?<![\p{L}\p{N}])(?:https?|ftp|file|tel|sms|callto|javascript|data|intent|geo|skype|whatsapp|tg|bitcoin):(?![/\\\s])\S/iu;

/** A name with a dot whose last part begins with a letter, or four numbers. */
const HOST = String.raw`((?:[\p{L}\p{N}\p{M}_-]+\.)+\p{L}[\p{L}\p{N}\p{M}_-]+|\d+(?:\.\d+){3})(?![\p{L}\p{N}\p{M}_-])`;

const KINDS: readonly [RegExp, (address: string, host: string) => string | undefined][] = [
  // A browser takes a backslash for a slash.
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
