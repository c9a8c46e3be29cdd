import { bare, isPart } from "./talk.ts";
import type { Sentence, Talk } from "./talk.ts";

/** How the model takes a veto: goes on with what may pass, says the same again, or says it in other words. */
export type Manner = "obedient" | "stubborn" | "sly";

/** A sentence and its directions. */
export interface Line {
  sentence: Sentence;
  /** Directions of the reply, which a model that leaves the sentence out gives with the next one. */
  moves: string[];
  /** Directions about this sentence alone. */
  own: string[];
  /** Is said in place of a held sentence. */
  isAgain?: boolean;
}

/** What is left to say, and the directions behind the last word. */
export interface Speech {
  lines: Line[];
  end: string[];
}

/**
 * A reply of a talk with its directions. Where models differ, talks do: content is shown with the
 * first or the last sentence, and the goodbye stands before the last sentence or behind it.
 */
export function directedReply(talk: Talk, turn: number): Speech {
  const reply = talk.turns[turn]?.reply;
  if (!reply) return { lines: [], end: [] };
  const { notes = [], shows, offers_email: email, person, language, ends } = reply;
  const lines: Line[] = reply.sentences.map((sentence) => ({
    sentence,
    moves: [],
    own: [
      ...(sentence.asks === undefined ? [] : [`ask ${sentence.asks}`]),
      ...(sentence.calc === undefined ? [] : [`= ${sentence.calc}`]),
    ],
  }));
  const end: string[] = [];
  // A direction before a sentence that must be held would die with it, and the talk says nothing about that.
  const may = lines.filter(({ sentence }) => sentence.must === "pass");
  const isEarly = talk.id.length % 2 === 0;
  const shown = (isEarly ? may[0] : may.at(-1))?.moves ?? end;
  if (shows !== undefined) shown.push(`show ${shows}`);
  if (person !== undefined && person !== false) shown.push("person");
  if (email !== undefined && email !== false)
    (may.at(-1)?.moves ?? end).push(email === true ? "email" : `email ${email}`);
  if (ends === true) (talk.turns.length % 2 === 0 ? (may.at(-1)?.moves ?? end) : end).push("bye");
  lines[0]?.moves.unshift(
    ...(language === undefined ? [] : [`language ${language}`]),
    ...notes.map(({ question, quote }) => `got ${question}: ${quote}`),
  );
  return { lines, end };
}

/** What the model says when it is told that a sentence was not said. Undefined where the reply has no such sentence. */
export function secondTry(
  { lines, end }: Speech,
  held: string,
  manner: Manner,
): Speech | undefined {
  const exactAt = lines.findIndex(({ sentence }) => bare(sentence.say) === bare(held));
  const at =
    exactAt === -1 ? lines.findIndex(({ sentence }) => isPart(sentence.say, held)) : exactAt;
  if (at === -1) return undefined;
  const rest = lines.slice(at).flatMap((line, index) => {
    if (manner === "stubborn") return [line];
    if (manner === "obedient") return line.sentence.must === "pass" ? [line] : [];
    if (index > 0) return [line];
    const { again, ...sentence } = line.sentence;
    return again === undefined
      ? []
      : [{ ...line, sentence: { ...sentence, ...again }, isAgain: true }];
  });
  const left = lines
    .slice(at)
    .filter(({ moves }) => moves.length > 0 && !rest.some((line) => line.moves === moves));
  const moved = left.flatMap(({ moves }) => moves);
  const [next, ...others] = rest;
  return next === undefined
    ? { lines: [], end: [...moved, ...end] }
    : { lines: [{ ...next, moves: [...moved, ...next.moves] }, ...others], end };
}

export function writeSpeech({ lines, end }: Speech): string {
  const text = lines.reduce((said, { sentence, moves, own }) => {
    const gap = said === "" || /[。！？」』]$/u.test(said) ? "" : " ";
    const marks = marked([...moves, ...own]);
    const space = marks === "" || /^\p{scx=Han}|^\p{scx=Hira}/u.test(sentence.say) ? "" : " ";
    return said + gap + marks + space + sentence.say;
  }, "");
  return [text, marked(end)].filter(Boolean).join(" ");
}

function marked(directions: string[]): string {
  return directions.map((one) => `⟦${one}⟧`).join("");
}

const SIZES = [3, 1, 7, 2, 5, 11, 4];

/** Pieces as no tokenizer makes them: they end inside of marks and figures. */
export function cut(text: string): string[] {
  const letters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0, round = letters.length; at < letters.length; round++) {
    const size = SIZES[round % SIZES.length]!;
    pieces.push(letters.slice(at, at + size).join(""));
    at += size;
  }
  return pieces;
}
