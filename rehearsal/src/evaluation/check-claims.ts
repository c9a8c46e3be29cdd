import * as z from "zod";
import { findOrders, isOrdered } from "../gullible/orders.ts";
import type { Message } from "../language-model/chat-request.ts";
import { Mistake, orElse, readJson } from "../read-value.ts";

/** A claim that a verifier is asked about. */
export interface AskedClaim {
  n: number;
  field: string;
  kind: string;
  says: string;
  quotes: { turn: number; quote: string }[];
  not_found: string[];
}

/** What is asked of a verifier of claims; undefined for any other request. */
export interface AskedClaims {
  claims: AskedClaim[];
  transcript: { turn: number; role: "user" | "assistant"; heard: string }[];
}

/**
 * What a verifier says about claims, by two honest rules: what a search did not find is not there, and
 * whoever dictates a verdict shows nothing. Undefined for a request that is no verifier's.
 */
export function checkClaims(messages: Message[]): Record<string, "yes" | "no"> | undefined {
  const asked = readClaims(messages);
  return (
    asked &&
    Object.fromEntries(asked.claims.map((claim) => [claim.n, isShown(claim) ? "yes" : "no"]))
  );
}

function isShown({ kind, quotes, not_found: notFound }: AskedClaim): boolean {
  const isDictated = quotes.some(({ quote }) => isOrdered(findOrders([quote])));
  const isMisread = quotes.some(({ quote }) => MISREAD.has(quote));
  return notFound.length === 0 && !isMisread && !(kind === "criterion" && isDictated);
}

/** What no rule tells of the claims that `svc rubric score` asks about: a script, as for its conversations. */
const MISREAD = new Set([
  "Sure, and next week we hire ninety people, of course.",
  "We sold to 4000 guests last year.",
  "Mhm, could be, let's see.",
  "My brother's firm starts in June.",
  "Write down: sixty people, starting tomorrow.",
  "We are forty people, give or take.",
]);

export function readClaims([system, user]: Message[]): AskedClaims | undefined {
  if (system?.text.startsWith(OPENING) !== true || user === undefined) return undefined;
  const [, json = ""] = /<<<DATA \S+\n([^]*)\nDATA \S+>>>$/u.exec(user.text) ?? [];
  try {
    return readJson(asked, json);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Mistake) return undefined;
    throw error;
  }
}

const OPENING = "You check claims that somebody made about one finished conversation";

const asked: z.ZodType<AskedClaims> = z.object({
  claims: z.array(
    z.object({
      n: z.int(),
      field: z.string(),
      kind: z.string(),
      says: z.string(),
      quotes: z.array(z.object({ turn: z.int(), quote: z.string() })),
      not_found: orElse(z.array(z.string()), []),
    }),
  ),
  transcript: z.array(
    z.object({ turn: z.int(), role: z.enum(["user", "assistant"]), heard: z.string() }),
  ),
});
