import type { TranscriptEntry } from "@svc/contract/types";
import { describe, expect, it } from "vitest";
import { ENGLISH, linesOf } from "../talk/talks.ts";
import {
  BY_RECOGNISER,
  compareWords,
  foldedWords,
  judgeSound,
  judgeTranscript,
} from "./judge-transcript.ts";
import type { TalkRecord } from "./judge-transcript.ts";

const UNSPOKEN = "conversation as it was heard, and a summary.";
const AGENT = [
  "Hello, I'm Linden.",
  "That is for the operator to decide.",
  "Every session leaves a record. You get the",
  "Gladly. Please check the card.",
  "Thank you, I have your address now.",
  "It was good to talk with you. Goodbye!",
];
const CUT = 4;

function recordWith(change: (transcript: TranscriptEntry[]) => void = () => {}): TalkRecord {
  const lines = linesOf(ENGLISH).map((content) => ({ role: "user" as const, content }));
  const said = AGENT.map((content) => ({ role: "assistant" as const, content }));
  const before = [said[0]!, lines[0]!, said[1]!, lines[1]!];
  const cut = { ...said[2]!, interrupted: true as const };
  const after = [lines[2]!, said[3]!, said[4]!, lines[3]!, said[5]!];
  const transcript: TranscriptEntry[] = [...before, cut, ...after];
  change(transcript);
  return {
    talk: ENGLISH,
    transcript,
    played: AGENT.map((text, index) => ({ words: foldedWords(text), isCut: index === 2 })),
    generated: AGENT.toSpliced(3, 0, UNSPOKEN).join(" "),
    reader: BY_RECOGNISER,
  };
}

describe("judging a transcript", () => {
  it("takes one that is what was played", () => {
    expect(judgeTranscript(recordWith())).toEqual([]);
  });

  it("notices the rest of an answer that was cut, by its sound alone", () => {
    const record = recordWith((turns) => (turns[CUT]!.content += ` ${UNSPOKEN}`));
    expect(judgeSound(record)).toHaveLength(1);
  });

  it("notices a sentence that nobody heard at the end of a turn", () => {
    const record = recordWith((turns) => (turns.at(-1)!.content += " That costs nothing."));
    expect(judgeSound(record)).toHaveLength(1);
  });

  it("notices a cut that is not marked", () => {
    const record = recordWith((turns) => delete turns[CUT]!.interrupted);
    expect(judgeTranscript(record)).toHaveLength(3);
  });

  it("notices words that were generated and left out where nobody cut", () => {
    const record = recordWith((turns) => (turns.at(-1)!.content = "Goodbye!"));
    expect(judgeTranscript(record)).toContain('before "Goodbye!" something is left out');
  });

  it("notices turns in another order, and a line that was not understood", () => {
    const record = recordWith((turns) => turns.splice(1, 2, turns[2]!, turns[1]!));
    expect(judgeTranscript(record)[0]).toMatch("the order is");
    const deaf = recordWith((turns) => (turns[1]!.content = "Thus, a crown."));
    expect(judgeTranscript(deaf)).toEqual([
      '"How do I add it to my page?" was heard as "Thus, a crown."',
    ]);
  });
});

const words = (text: string): string[] => text.split(" ").filter(Boolean);
const compare = (text: string, heard: string) => compareWords(words(text), words(heard));

describe("comparing a text with what was heard", () => {
  it("agrees with the same words", () => {
    expect(compare("you get a record", "you get a record")).toEqual({ share: 1, unheard: 0 });
    expect(compare("", "")).toEqual({ share: 1, unheard: 0 });
  });

  it("counts a word that was mistaken, wherever it stands", () => {
    expect(compare("you get a record", "you bet a record")).toEqual({ share: 0.75, unheard: 0 });
    expect(compare("you get a record", "you get a regard")).toEqual({ share: 0.75, unheard: 1 });
  });

  it("counts what nobody has heard", () => {
    expect(compare("you get a record and more", "you get a")).toEqual({ share: 0.5, unheard: 3 });
    expect(compare("you get", "")).toEqual({ share: 0, unheard: 2 });
  });

  it("counts what was heard and is missing in the text", () => {
    expect(compare("you get", "you get a record")).toEqual({ share: 0.5, unheard: 0 });
  });
});
