import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import { expect, test } from "vitest";
import { bundleSdk } from "./build.ts";
import { compress } from "./write-build.ts";

/** In bytes after brotli, which is what a visitor loads. */
const MAX_BYTES: [file: RegExp, bytes: number][] = [
  [/^sdk\.js$/, 6_000],
  [/^call\.\w+\.js$/, 10_200],
  [/^avatar\.\w+\.js$/, 3_000],
  [/^face-\w+\.\w+\.js$/, 1_400],
  [/^content\.\w+\.js$/, 6_700],
  [/^strings-\w+\.\w+\.js$/, 1_200],
  [/^words-\w+\.\w+\.js$/, 3_000],
  [/^(?:sound|worklets)\.\w+\.js$/, 1_400],
  [/^microphone-help\.\w+\.js$/, 3_500],
  [/^cards-and-endings\.\w+\.js$/, 6_600],
  [/^stage\.\w+\.js$/, 2_100],
  [/^places\.\w+\.js$/, 4_000],
  [/^preview\.\w+\.js$/, 1_300],
  // LiveKit's client, which no visitor waits for.
  [/^livekit\.\w+\.js$/, 120_000],
  [/^gate\.\w+\.js$/, 1_100],
  [/^sources\.\w+\.js$/, 1_100],
  [/^(?:challenge|form|preflight)\.\w+\.js$/, 600],
  [/^resume\.\w+\.js$/, 750],
];

/** Scripts above their limit, or without one. */
function tooLarge(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .filter(([name]) => name.endsWith(".js"))
    .map(([name, text]) => ({
      name,
      bytes: compress(text).length,
      max: MAX_BYTES.find(([file]) => file.test(name))?.[1],
    }))
    .filter(({ bytes, max }) => max === undefined || bytes > max)
    .map(({ name, bytes, max }) => `${name}: ${bytes} bytes of ${max ?? "no limit"}`);
}

const built = await bundleSdk();

test("what a page and its visitor load stays small", () => {
  expect(tooLarge(built)).toEqual([]);
  expect(built.keys()).toContain("sdk.js");
  expect(built.size).toBeGreaterThanOrEqual(8);
});

test("numbers that do not compress, added to sdk.js, are noticed", () => {
  const noise = Array.from({ length: 5_000 }, (_, i) => `${(i * 7_919) % 65_521};`).join("");
  const planted = new Map([["sdk.js", built.get("sdk.js")! + noise]]);
  expect(tooLarge(planted)).toEqual([expect.stringMatching(/^sdk\.js: \d{5} bytes of 6000$/)]);
});

test("a script that has no limit is noticed", () => {
  const planted = new Map([["more.12345678.js", ""]]);
  expect(tooLarge(planted)).toEqual([expect.stringMatching(/^more\..* of no limit$/)]);
});

test("a visitor loads the texts of one language, each once", () => {
  const { call: strings, cards, microphone, content, preview } = de;
  const later = { cards, microphone, content, preview };
  const holding = (text: unknown): (string | undefined)[] =>
    [...built]
      .filter(([, code]) => code.includes(JSON.stringify(text)))
      .map(([name]) => /^[^.]+/.exec(name)?.[0]);
  expect(holding(strings)).toEqual(["strings-de"]);
  expect(holding(later)).toEqual(["words-de"]);
  for (const words of [de, en]) {
    expect(holding(words.cards.email_invalid)).toEqual([`words-${words.language}`]);
    expect(holding(words.call.unreachable)).toContain(`strings-${words.language}`);
  }
});
