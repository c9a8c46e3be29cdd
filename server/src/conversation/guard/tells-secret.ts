import { inCode, repeatsWords, Source, wordCount } from "#language";
import type { AgentTexts } from "./agent-texts.ts";

/**
 * Whether a sentence lets out what the agent was told in confidence: its words, a name that stands
 * only there, or either in code.
 *
 * @param before the sentence before it: a secret told in short sentences is told in a row.
 * @param heard what was said in the conversation: a visitor who knows it is told nothing.
 */
export function tellsSecret(
  sentence: string,
  before: string,
  { hidden, open, marks }: AgentTexts,
  heard: Source[],
): boolean {
  const allowed = [...open, ...heard];
  const source = new Source(sentence);
  const run = Math.min(RUN, Math.max(SHORTEST_RUN, wordCount(sentence)));
  return (
    repeatsWords(sentence, hidden, run, allowed) ||
    repeatsWords(`${before} ${sentence}`, hidden, RUN, allowed) ||
    marks.some((mark) => says(source, mark) && !heard.some((text) => says(text, mark))) ||
    inCode(sentence).some((reading) => repeatsWords(reading, hidden, CODED_RUN)) ||
    (sentence.match(SPELLED) ?? []).some(
      (word) => stands(word, hidden) && !stands(word, allowed),
    ) ||
    (sentence.match(LONG_WORD) ?? []).some((word) => word.length > LONGEST_WORD || isMixed(word))
  );
}

/** `team_size` is the key of a question, "team size" is what everybody says. */
function says(source: Source, mark: string): boolean {
  const isKey = !mark.includes("_") || source.text.toLowerCase().includes(mark.toLowerCase());
  return isKey && source.says(mark);
}

/** So many words in a row are no chance. A sentence that is shorter is one when all of it stands there. */
const RUN = 8;
const SHORTEST_RUN = 5;
/** Nobody writes backwards by chance. */
const CODED_RUN = 3;

/** Single letters in a row, as in "Z-E-B-R-A": four or more, because three may be an abbreviation. */
const SPELLED = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[\s.,_-]{1,2}[\p{L}\p{N}](?![\p{L}\p{N}])){3,}/gu;

/** Whether a text has the letters of a spelled word in a row. */
function stands(spelled: string, sources: Source[]): boolean {
  const { letters } = new Source(spelled);
  return sources.some((source) => source.letters.includes(letters));
}

const LONG_WORD = /[a-z\d+/=]{24,}/gi;
const LONGEST_WORD = 80;

/** Letters and digits: base64, hex and the like. Scripts without spaces have long words of both. */
function isMixed(word: string): boolean {
  return /\d/.test(word) && /\p{L}/u.test(word);
}
