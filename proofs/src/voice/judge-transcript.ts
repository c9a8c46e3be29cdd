import type { TranscriptEntry } from "@svc/contract/types";
import { resampled, transcribe } from "@svc/rehearsal";
import { linesOf } from "../talk/talks.ts";
import type { VoiceTalk } from "../talk/talks.ts";

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
const MIN_UNDERSTOOD = 0.6;

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
    return share >= MIN_UNDERSTOOD ? [] : [`"${line}" was heard as "${content}"`];
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

/** Makes the words of a text and of a sound comparable. */
export interface SoundReader {
  wordsOf(text: string): string[];
  /** @param pcm as it was played: 24 kHz, mono. */
  wordsIn(pcm: Int16Array): Promise<string[]>;
  /** Of all words, how many must agree. */
  leastAgreement: number;
  /** At the end of a text, how many words may be missing in the sound. */
  mostUnheard: number;
}

const SAMPLE_RATE = 24_000;

/** By a recogniser, which mistakes a word now and then. */
export const BY_RECOGNISER: SoundReader = {
  wordsOf: foldedWords,
  async wordsIn(pcm) {
    const sound = resampled(
      { pcm: Int16Array.from(pcm), sampleRate: SAMPLE_RATE, words: [] },
      16_000,
    );
    return foldedWords((await transcribe(sound.pcm)).text);
  },
  leastAgreement: 0.6,
  mostUnheard: 2,
};

/** By the stand-in's tones: one for each word, 60 ms for each of its characters. The word that is being said counts or not. */
export const BY_TONES: SoundReader = {
  wordsOf: (text) => text.split(/\s+/).map((word) => String(word.length)),
  wordsIn: async (pcm) => toneLengths(pcm).map((ms) => String(Math.round(ms / 60))),
  leastAgreement: 0.8,
  mostUnheard: 1,
};

/** A period of the lowest tone. */
const LOOK_SAMPLES = SAMPLE_RATE / 200;
const LOOK_MS = (LOOK_SAMPLES / SAMPLE_RATE) * 1_000;
const LOUD = 1_000;

function toneLengths(pcm: Int16Array): number[] {
  const lengths: number[] = [];
  let isTone = false;
  for (let at = 0; at + LOOK_SAMPLES <= pcm.length; at += LOOK_SAMPLES) {
    const isLoud = pcm.subarray(at, at + LOOK_SAMPLES).some((sample) => Math.abs(sample) > LOUD);
    if (isLoud && !isTone) lengths.push(0);
    if (isLoud) lengths[lengths.length - 1]! += LOOK_MS;
    isTone = isLoud;
  }
  return lengths;
}

export interface Agreement {
  /** Of the longer of the two, the share that stands in both in the same order. */
  share: number;
  /** Words at the end of the text after the last that was heard. */
  unheard: number;
}

/** How far a text agrees with the words that were heard. */
export function compareWords(text: readonly string[], heard: readonly string[]): Agreement {
  // best[i][j]: the most words in common of text from i and heard from j.
  const best = Array.from({ length: text.length + 1 }, () => new Uint16Array(heard.length + 1));
  for (let i = text.length - 1; i >= 0; i -= 1) {
    for (let j = heard.length - 1; j >= 0; j -= 1) {
      best[i]![j] =
        text[i] === heard[j]
          ? best[i + 1]![j + 1]! + 1
          : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
    }
  }
  let [i, j, lastHeard] = [0, 0, -1];
  while (i < text.length && j < heard.length) {
    if (text[i] === heard[j]) {
      lastHeard = i;
      [i, j] = [i + 1, j + 1];
    } else if (best[i + 1]![j]! >= best[i]![j + 1]!) i += 1;
    else j += 1;
  }
  const longer = Math.max(text.length, heard.length);
  return {
    share: longer === 0 ? 1 : best[0]![0]! / longer,
    unheard: text.length - 1 - lastHeard,
  };
}

/** A text's words, however they are written. */
export function foldedWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
