import type { Random } from "@svc/tools/random";

/** An answer made of a sentence of a manual. */
export interface ManualAnswer {
  kind: "true" | "half-true" | "foreign";
  said: string;
  /** The same before it was put into other words. */
  written: string;
}

export interface ManualSentence {
  section: string;
  text: string;
}

/**
 * Sentences with a number out of running text. They are found without any code of the product, so that it is not judged
 * by its own reading.
 */
export function sentencesWithNumbers(sections: { name: string; text: string }[]): ManualSentence[] {
  return sections.flatMap(({ name, text }) =>
    text
      .replaceAll(/```[^]*?(?:```|$)/g, "\n\n")
      .split(/\n\s*\n|\n(?=[-*|#>])/)
      .map((block) =>
        block
          .replaceAll(/\s+/g, " ")
          .replace(/^[-*] /, "")
          .trim(),
      )
      .filter((block) => /^[A-Z]/.test(block))
      .flatMap((block) => block.split(/(?<=[.!?]) (?=[A-Z])/))
      .filter((sentence) => isUsable(sentence))
      .map((sentence) => ({ section: name, text: sentence })),
  );
}

function isUsable(sentence: string): boolean {
  const words = sentence.split(" ");
  return (
    words.length >= 8 &&
    words.length <= 35 &&
    /^[A-Z][a-z]/.test(sentence) &&
    /[a-z)]\.$/.test(sentence) &&
    NUMBER.test(sentence) &&
    !/[|`<>{}\\=_~^[\]]|\w\/\w|\.\w/.test(sentence)
  );
}

const NUMBER = /(?<![\w.,:-])\d{1,6}(?![\w,:%-]|\.\d)/;

/** One true answer, and as many half-true and foreign ones as the sentence allows. */
export function answersFrom(
  sentence: ManualSentence,
  foreign: ManualSentence | undefined,
  names: string[],
  random: Random,
): ManualAnswer[] {
  const text = withoutRemarks(sentence.text);
  const answer = (kind: ManualAnswer["kind"], written: string): ManualAnswer => ({
    kind,
    said: reworded(written, random),
    written,
  });
  const half = (written: string): ManualAnswer[] =>
    written === text ? [] : [answer("half-true", written)];
  const [number = ""] = NUMBER.exec(text) ?? [];
  const others: string[] = text.match(/\d+/g) ?? [];
  const other = [random.integer(2, 9_999), Number(number) + 1, Number(number) * 10]
    .map(String)
    .find((one) => !others.includes(one))!;
  const [, name = ""] = /[a-z,] ([A-Z][a-z]{3,})\b/.exec(text) ?? [];
  const strangers = names.filter((one) => !text.includes(one));
  return [
    answer("true", text),
    ...half(text.replace(NUMBER, other)),
    ...(name === "" || strangers.length === 0
      ? []
      : half(text.replaceAll(name, random.pick(strangers)))),
    ...half(text.replace(/ (is|are|can|will|must|should) (?!not\b)/, " $1 not ")),
    ...(foreign === undefined ? [] : [answer("foreign", withoutRemarks(foreign.text))]),
  ];
}

/** Before anything is changed: a change within a remark would go with it. */
function withoutRemarks(text: string): string {
  return text.replaceAll(/ \([^()]*[a-z][^()]*\)/g, (remark) =>
    /\d|[A-Z]/.test(remark) ? remark : "",
  );
}

/** As a host would say it: with an opening and figures in words. */
function reworded(text: string, random: Random): string {
  const spoken = text.replaceAll(/(?<![\w.,:-])(?:2|3|4|5|6|7|8|9|10|12)(?![\w,:%.-])/g, (digits) =>
    random.integer(0, 1) === 0 ? digits : WORDS[digits]!,
  );
  const opening = random.pick(["", "Yes. ", "So ", "Well, ", "As far as I know, "]);
  const isPlain = opening === "" || opening.endsWith(". ");
  const [first = ""] = spoken.split(" ");
  const small = PLAIN.has(first) ? first.toLowerCase() + spoken.slice(first.length) : spoken;
  return isPlain ? opening.replace("Yes. ", "") + spoken : opening + small;
}

const PLAIN = new Set(
  "The This These It If In A An When For By All Each You There At To".split(" "),
);

const WORDS: Record<string, string> = {
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  10: "ten",
  12: "twelve",
};

/** Words with a capital inside sentences, and never without one. */
export function namesIn(sentences: ManualSentence[]): string[] {
  const plain = new Set(sentences.flatMap(({ text }) => text.match(/\b[a-z]+\b/g) ?? []));
  const found = sentences.flatMap(({ text }) =>
    [...text.matchAll(/[a-z,] ([A-Z][a-z]{3,})\b/g)].map(([, name]) => name!),
  );
  return [...new Set(found)].filter((name) => !plain.has(name.toLowerCase()));
}

/** Whether all numbers and longer words of a sentence are in a text, "occurred" for "occurs". */
export function standsIn(sentence: string, text: string): boolean {
  const words = (one: string): string[] =>
    (one.toLowerCase().match(/\d+|[a-z]{4,}|not/g) ?? []).map((word) => word.slice(0, 5));
  const there = new Set(words(text));
  return words(sentence).every((word) => there.has(word));
}
