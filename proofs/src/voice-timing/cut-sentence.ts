import type { HeardSegment, VoiceVisitor } from "@svc/server/testing";
import type { LiveCaption } from "@svc/contract/types";
import { waitUntil } from "./arrivals.ts";

/** A cut that is to be made: in which sentence, and after how much of its sound. */
export interface CutOrder {
  sentence: number;
  atMs: number;
}

export interface Cut extends CutOrder {
  /** What was really played. */
  segment: HeardSegment;
  /** What is on the screen of it in the end, as in the transcript. */
  stored: string;
}

const PATIENCE_MS = 10_000;

/** Has a sentence said and cuts it by typing. */
export async function cutSentence(
  visitor: VoiceVisitor,
  { sentence, atMs }: CutOrder,
): Promise<Cut> {
  const segment = await askFor(visitor, sentence);
  await waitUntil(() => segment.playedMs >= atMs || segment.end !== undefined, PATIENCE_MS);
  const { browser } = visitor;
  const before = finals(visitor).filter(isVisitors).length;
  browser.send({ type: "text", text: CUT });
  // A visitor's turn is told once the one before it is complete.
  await browser.until("cut", () => finals(visitor).filter(isVisitors).length > before);
  const turns = finals(visitor);
  const stored = turns.slice(0, turns.findLastIndex(isVisitors)).at(-1)!;
  return { sentence, atMs, segment, stored: isVisitors(stored) ? "" : stored.text };
}

/** Asks for a sentence; resolves when the first of it is heard. */
export async function askFor(visitor: VoiceVisitor, sentence: number): Promise<HeardSegment> {
  const text = `${ASK} ${sentence}.`;
  const count = visitor.browser.messages.length;
  visitor.browser.send({ type: "text", text });
  const isAsked = (): boolean =>
    visitor.browser.messages
      .slice(count)
      .some((message) => message.type === "caption" && message.text === text && message.final);
  await visitor.browser.until("question", isAsked);
  const before = visitor.heard.length;
  const isHeard = (): boolean => (visitor.heard[before]?.playedMs ?? 0) > 0;
  if (!(await waitUntil(isHeard, PATIENCE_MS))) throw new Error("the agent does not speak");
  return visitor.heard[before]!;
}

const ASK = "Say number";
const CUT = "Stop.";

/** What a model says to that. */
export function replyTo(said: string, sentences: readonly string[]): string {
  return said.startsWith(ASK) ? sentences[Number(/\d+/.exec(said))]! : "Yes.";
}

function finals({ browser }: VoiceVisitor): LiveCaption[] {
  return browser.all("caption").filter(({ final, text }) => final && text !== "");
}

function isVisitors({ role }: LiveCaption): boolean {
  return role === "user";
}
