import { speak } from "@svc/rehearsal";
import { linesOf } from "../talk/talks.ts";
import type { VoiceTalk } from "../talk/talks.ts";

/** What a loudspeaker put out in one piece, 24 kHz, and whether the visitor interrupted it. */
export interface Played {
  pcm: Int16Array;
  isCut: boolean;
}

/** Somebody in a talk by voice, with a browser or without. */
export interface VoiceVisitorInTalk {
  readonly played: readonly Played[];
  /** Until the agent has answered and waits. */
  listen(): Promise<void>;
  /** Until so much of the answer was played. */
  listenFor(ms: number): Promise<void>;
  /** Says it, and waits until it is a turn. What the agent was saying is interrupted. */
  say(pcm: Int16Array): Promise<unknown>;
  /** On the card. */
  confirmEmail(address: string): Promise<void>;
  untilEnded(): Promise<void>;
  /** The turns on the screen; one that was interrupted ends with a dash. */
  seen(): Promise<string[]>;
}

/** How much of an answer is heard before the visitor interrupts it. */
const CUT_AFTER_MS = 2_500;

/** Talks a demo through: a question, an interruption, the card, and a goodbye. Returns what was on the screen before that. */
export async function playTalk(visitor: VoiceVisitorInTalk, talk: VoiceTalk): Promise<string[]> {
  const clips = await Promise.all(linesOf(talk).map((line) => speak(line)));
  const [asksForEmail, goodbye] = clips.slice(-2).map(({ pcm }) => pcm);
  const [cutQuestion, ...questions] = clips
    .slice(0, -2)
    .map(({ pcm }) => pcm)
    .toReversed();
  await visitor.listen();
  for (const question of questions) {
    await visitor.say(question);
    await visitor.listen();
  }
  await visitor.say(cutQuestion!);
  await visitor.listenFor(CUT_AFTER_MS);
  await visitor.say(asksForEmail!);
  await visitor.listen();
  await visitor.confirmEmail(talk.email);
  await visitor.listen();
  const seen = await visitor.seen();
  await visitor.say(goodbye!);
  await visitor.untilEnded();
  return seen;
}
