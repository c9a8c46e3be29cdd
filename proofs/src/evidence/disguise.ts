import type { Random } from "@svc/tools/random";

/** The same words as somebody else would write them down: as speech recognition, or a page, leaves them in a transcript. */
export function asHeard(text: string, random: Random): string {
  const ways: ((text: string) => string)[] = [
    (plain) => plain,
    (plain) => plain.replaceAll("'", "’"),
    (plain) => plain.normalize("NFD"),
    (plain) => plain.replaceAll(", ", " , "),
    (plain) => plain.replaceAll(" ", () => random.pick([" ", " ", "\u00A0", "  "])),
    (plain) => `${plain} 👍🏽`,
    (plain) => `\u202A${plain}\u202C`,
    (plain) => plain.replace(/\p{L}{6,}/u, (word) => `${word.slice(0, 4)}\u00AD${word.slice(4)}`),
  ];
  return random.pick(ways)(text);
}

/** The same words as a model may copy them. */
export function asQuoted(text: string, random: Random): string {
  const ways: ((text: string) => string)[] = [
    (plain) => plain,
    (plain) => plain,
    (plain) => plain.toUpperCase(),
    (plain) => plain.toLowerCase(),
    (plain) => plain.normalize("NFC").replaceAll("’", "'"),
    (plain) => `“${plain.replace(/[.?!]$/, "")}…”`,
    (plain) => plain.replaceAll(/,/g, " —"),
    (plain) => plain.replaceAll(/[A-Za-z0-9]/g, fullWidth),
  ];
  return random.pick(ways)(text);
}

function fullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}
