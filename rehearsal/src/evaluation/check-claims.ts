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
  return notFound.length === 0 && !(kind === "criterion" && isDictated);
}

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
