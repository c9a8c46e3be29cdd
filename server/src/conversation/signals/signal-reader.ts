import { SentenceCutter } from "#language";
import { readDirection } from "./direction.ts";
import type { Direction } from "./direction.ts";

/** A sentence of a model's, and the directions in it. */
export interface SignalledSentence {
  /** Empty for directions behind the last word. */
  text: string;
  directions: PlacedDirection[];
}

export interface PlacedDirection extends Direction {
  /** The direction belongs to the word that begins at or behind this character of the sentence. */
  at: number;
}

/** Splits a model's streamed text into sentences, and takes out what must never be spoken. */
export class SignalReader {
  readonly #sentences: SentenceCutter;
  /** Not passed on yet: it may be the beginning of a mark. */
  #rest = "";
  /** In the order of their placeholders. */
  #directions: (Direction | undefined)[] = [];

  constructor(language: string) {
    this.#sentences = new SentenceCutter(language);
  }

  /** Returns the sentences that this piece completes. */
  push(text: string): SignalledSentence[] {
    this.#rest += text.replaceAll(PLACEHOLDER, "");
    const spoken = this.#take(false);
    return spoken === "" ? [] : this.#sentences.push(spoken).map((one) => this.#placed(one));
  }

  /** Returns the rest when the text has ended. */
  end(): SignalledSentence[] {
    const spoken = this.#take(true);
    const rest = [...this.#sentences.push(spoken), ...this.#sentences.end()];
    return rest.map((one) => this.#placed(one));
  }

  /** What of the text can be passed on, with a placeholder for each direction. */
  #take(isEnd: boolean): string {
    let spoken = "";
    for (;;) {
      const mark = MARK.exec(this.#rest);
      if (mark === null) break;
      spoken += this.#rest.slice(0, mark.index).replaceAll(STRAY, "");
      this.#rest = this.#rest.slice(mark.index);
      const inside = insideOf(this.#rest, mark);
      if (inside === undefined && !isEnd) return spoken;
      if (mark[0] === "⟦" && inside?.isClosed === true && !inside.text.includes("⟦")) {
        this.#directions.push(readDirection(inside.text));
        spoken += PLACEHOLDER;
      }
      // What is never closed is not spoken.
      this.#rest = this.#rest.slice(inside?.end ?? this.#rest.length);
    }
    const held = isEnd ? 0 : (BEGINNING.exec(this.#rest)?.[0].length ?? 0);
    const sure = this.#rest.length - held;
    spoken += this.#rest.slice(0, sure).replaceAll(STRAY, "");
    this.#rest = this.#rest.slice(sure);
    return spoken;
  }

  #placed(sentence: string): SignalledSentence {
    const directions: PlacedDirection[] = [];
    let text = "";
    for (const [index, part] of sentence.split(PLACEHOLDER).entries()) {
      if (index > 0) {
        const direction = this.#directions.shift();
        if (direction !== undefined) directions.push({ ...direction, at: text.trimEnd().length });
      }
      text = text === "" || /\s$/.test(text) ? text + part.trimStart() : text + part;
    }
    return { text: text.trim(), directions };
  }
}

/** Stands for a direction while sentences are cut: a character for private use, which is part of no word. */
const PLACEHOLDER = "\u{E000}";

/**
 * Beginnings of what is not speech: directions, marks that were escaped in a visitor's words, a model's thoughts,
 * its own notation for tools, and what the server told it.
 */
const MARK =
  /⟦|\[\[|<(think|thinking|tool_call|tool_calls|function_call)\b[^>]{0,100}>|\[TOOL_CALLS\]|\[(?:state|event) [\da-f]{6}\]/i;
/** What may still become one of them with the next piece. */
const BEGINNING = /(?:\[[A-Z_[]{0,10}(?: [\da-f]{0,6})?|<\/?[a-z_]{0,13}\b[^>]{0,100}|<\/?)$/i;
const STRAY = /⟧|<\/(?:think|thinking|tool_calls?|function_call)>/gi;
/** A direction is short and stands on one line; one that is longer was not closed. */
const LONGEST_DIRECTION = 400;

interface Inside {
  text: string;
  isClosed: boolean;
  /** Where the text goes on. */
  end: number;
}

/** What stands in the mark at the beginning of a text; undefined while its end may still come. */
function insideOf(text: string, { 0: open, 1: tag }: RegExpExecArray): Inside | undefined {
  if (tag !== undefined) return upTo(text, open.length, `</${tag.toLowerCase()}>`);
  // Nothing that is worth saying follows them.
  if (open.startsWith("[") && open !== "[[") return undefined;
  const line = text.slice(0, LONGEST_DIRECTION).split("\n", 1)[0]!;
  const closed = open === "⟦" ? nested(line) : upTo(line, open.length, "]]");
  if (closed !== undefined) return closed;
  const isCutOff = line.length < text.length;
  return isCutOff ? { text: "", isClosed: false, end: line.length } : undefined;
}

function upTo(text: string, from: number, close: string): Inside | undefined {
  const at = text.toLowerCase().indexOf(close, from);
  if (at < 0) return undefined;
  return { text: text.slice(from, at), isClosed: true, end: at + close.length };
}

function nested(text: string): Inside | undefined {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[⟦⟧]/g)) {
    depth += sign === "⟦" ? 1 : -1;
    if (depth === 0) return { text: text.slice(1, index), isClosed: true, end: index + 1 };
  }
  return undefined;
}
