import { randomBytes, randomUUID } from "node:crypto";
import { LiveBrowser } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { anybodysNonsense, MARK } from "./nonsense.ts";
import type { Nonsense } from "./nonsense.ts";
import { outcomeOf } from "./outcome.ts";

/** Ids and tickets that were good once. */
export interface Leftovers {
  usedTicket: { id: string; ticket: string };
  ended: { id: string; token: string };
}

/** Somebody without a session opens a socket and sends nonsense. Returns what went wrong. */
export async function strangeVisit(
  url: string,
  random: Random,
  leftovers: Leftovers,
  onFrames: (count: number) => void,
): Promise<string | undefined> {
  const nonsense = strangersNonsense(random, leftovers);
  const browser = await LiveBrowser.open(url, { "x-forwarded-for": anyAddress(random) });
  onFrames(nonsense.frames.length);
  const fault = await outcomeOf(browser, nonsense);
  browser.socket.terminate();
  return fault;
}

export function anyAddress(random: Random): string {
  return `203.0.113.${random.integer(1, 250)}`;
}

function strangersNonsense(random: Random, { usedTicket, ended }: Leftovers): Nonsense {
  const hello = (more: object): object => ({
    type: "hello",
    protocol: "svc.live.v1",
    session_id: randomUUID(),
    received: 0,
    ...more,
  });
  const guess = (): string => randomBytes(32).toString("base64url");
  return random.pick<() => Nonsense>([
    () => anybodysNonsense(random),
    () => anybodysNonsense(random),
    () => ({
      kind: "words before the hello",
      frames: [{ type: "text", seq: 1, text: MARK }],
      expects: 4000,
    }),
    () => ({ kind: "sound before the hello", frames: [randomBytes(640)], expects: 4000 }),
    () => ({
      kind: "another protocol",
      frames: [hello({ protocol: "v2", ticket: "x" })],
      expects: 4000,
    }),
    () => ({ kind: "no credential", frames: [hello({})], expects: 4000 }),
    () => ({
      kind: "two credentials",
      frames: [hello({ ticket: guess(), resume_token: guess() })],
      expects: 4000,
    }),
    () => ({ kind: "an unknown session", frames: [hello({ ticket: guess() })], expects: 4002 }),
    () => ({
      kind: "a guessed ticket",
      frames: [hello({ session_id: usedTicket.id, ticket: guess() })],
      expects: 4002,
    }),
    () => ({
      kind: "a used ticket",
      frames: [hello({ session_id: usedTicket.id, ticket: usedTicket.ticket })],
      expects: 4002,
    }),
    () => ({
      kind: "a guessed resume token",
      frames: [hello({ session_id: usedTicket.id, resume_token: guess() })],
      expects: 4002,
    }),
    () => ({
      kind: "the token of a session that is over",
      frames: [hello({ session_id: ended.id, resume_token: ended.token })],
      expects: 4003,
    }),
  ])();
}
