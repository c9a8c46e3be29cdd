import type { TranscriptEntry } from "@svc/contract/types";
import { linesOf } from "../talk/talks.ts";
import type { VoiceTalk } from "../talk/talks.ts";
import { compareWords, foldedWords } from "./read-sound.ts";
import type { SoundReader } from "./read-sound.ts";

/** A talk, and what is known of it without the product's help. */
export interface TalkRecord {
  talk: VoiceTalk;
  transcript: TranscriptEntry[];
  /** What the loudspeaker played, in order: the words in it, and whether it was cut. */
  played: { words: string[]; isCut: boolean }[];
  /** What the voice was asked for, all of it. */
  generated: string;
  reader: SoundReader;
}

/** What a question and its answer come before: the next answer is cut, and a card is answered before the last. */
const ORDER = "assistant, user, assistant —, user, assistant, assistant, user, assistant";
/** Of a line of the visitor's. Recognisers mistake a word now and then. */
const LEAST_UNDERSTOOD = 0.6;

/** What a transcript says that was not so. */
export function judgeTranscript(record: TalkRecord): string[] {
  return [
    ...judgeOrder(record),
    ...judgeVisitor(record),
    ...judgeSound(record),
    ...judgeGenerated(record),
  ];
}

function judgeOrder({ talk, transcript }: TalkRecord): string[] {
  const due = talk.question === undefined ? ORDER : `assistant, user, ${ORDER}`;
  const order = transcript
    .map(({ role, interrupted }) => (interrupted ? `${role} —` : role))
    .join(", ");
  return order === due ? [] : [`the order is ${order}`];
}

function judgeVisitor({ talk, transcript }: TalkRecord): string[] {
  const turns = transcript.filter(({ role }) => role === "user");
  return linesOf(talk).flatMap((line, index) => {
    const content = turns[index]?.content ?? "";
    const { share } = compareWords(foldedWords(line), foldedWords(content));
    return share >= LEAST_UNDERSTOOD ? [] : [`"${line}" was heard as "${content}"`];
  });
}

/** Each turn of the agent's against what was played. */
export function judgeSound({
  transcript,
  played,
  reader,
}: Pick<TalkRecord, "transcript" | "played" | "reader">): string[] {
  const turns = transcript.filter(({ role }) => role === "assistant");
  if (turns.length !== played.length) {
    return [`${turns.length} turns of the agent's, ${played.length} were played`];
  }
  return turns.flatMap(({ content, interrupted = false }, index) => {
    const { words, isCut } = played[index]!;
    const { share, unheard } = compareWords(reader.wordsOf(content), words);
    const faults: string[] = [];
    if (interrupted !== isCut) faults.push(`"${content}" is ${isCut ? "not " : ""}marked as cut`);
    if (share < reader.leastAgreement || unheard > reader.mostUnheard) {
      faults.push(`"${content}" was played as "${words.join(" ")}"`);
    }
    return faults;
  });
}

/** The agent's turns are what was generated, in order; only behind a cut something is left out. */
function judgeGenerated({ transcript, generated }: TalkRecord): string[] {
  const faults: string[] = [];
  let at = 0;
  let wasCut = false;
  for (const { role, content, interrupted = false } of transcript) {
    if (role === "user") continue;
    const found = generated.indexOf(content, at);
    const isLeftOut = found > at;
    if (found === -1) faults.push(`"${content}" was never generated`);
    else if (isLeftOut !== wasCut)
      faults.push(`before "${content}" ${wasCut ? "nothing" : "something"} is left out`);
    at = found === -1 ? at : found + content.length + " ".length;
    wasCut = interrupted;
  }
  return faults;
}

/** Controls: as if all that was generated had been heard of the interrupted turn, and as if the agent had said more at the end. */
export function withPlantedWords(record: TalkRecord): TalkRecord[] {
  const { transcript, generated } = record;
  const cut = transcript.findIndex(({ interrupted }) => interrupted);
  const start = generated.indexOf(transcript[cut]?.content ?? "");
  const next = transcript.slice(cut + 1).find(({ role }) => role === "assistant");
  const whole = generated.slice(start, generated.indexOf(next?.content ?? "", start)).trim();
  const last = transcript.length - 1;
  return [
    { ...record, transcript: changed(cut, whole) },
    { ...record, transcript: changed(last, `${transcript[last]?.content} That costs nothing.`) },
  ];

  function changed(index: number, content: string): TranscriptEntry[] {
    return transcript.map((turn, at) => (at === index ? { ...turn, content } : turn));
  }
}
