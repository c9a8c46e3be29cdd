import type { Random } from "@svc/tools/random";

/** What stands between two spaces, and how many words of it are said. */
export interface Token {
  written: string;
  words: number;
}

/** A sentence of a model's, with all that a model may put into one. */
export function drawSentence(random: Random): Token[] {
  const tokens = Array.from({ length: random.integer(1, 7) }, () => {
    const kind = random.next();
    if (kind < 0.6) return random.pick(PLAIN);
    if (kind < 0.75) return random.pick(OTHER_SCRIPTS);
    if (kind < 0.87) return random.pick(SIGNS);
    return random.pick(ODD);
  });
  const last = tokens.pop()!;
  return [...tokens, { ...last, written: `${last.written}${random.pick([".", "!", "?", "…"])}` }];
}

function tokensOf(words: number, written: string): Token[] {
  return written.split(" ").map((one) => ({ written: one, words }));
}

const PLAIN = tokensOf(
  1,
  "we plans don't (mostly) well-known “quoted” naïve Zürich, straße a the customers it: —so— I e\u0301te\u0301 A\u030Angstro\u0308m",
);
const OTHER_SCRIPTS = tokensOf(
  1,
  "שלום עולם, مرحبا العربية 日本語 我们。 한국어 नमस्ते क्षि กำลัง \u{20000}\u{20001}",
);
const SIGNS = [
  ...tokensOf(2, "$29 15% 24/7"),
  ...tokensOf(5, "sales@acme.com"),
  ...tokensOf(7, "https://www.acme.com/a-b"),
  ...tokensOf(1, "1️⃣ **bold** Great🎉"),
];
/** Halves of characters, NUL, and what is seen but not said. */
const ODD = [
  ...tokensOf(1, "wo\uDC00rd a\0b \uD83Dx"),
  ...tokensOf(0, "🎉 👩🏽‍💻 🇩🇪 ** \uD83D \0 \u202E ☕️"),
];
