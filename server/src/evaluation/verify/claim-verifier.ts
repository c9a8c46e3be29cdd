import * as z from "zod";
import { parseJson } from "#platform";
import { firstThenFallback, jsonIn, ModelRefused } from "#models";
import type { Charge, FirstAndFallback, LanguageModel } from "#models";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { claimsPrompt } from "./claims-prompt.ts";
import type { Claim, ClaimKind } from "./claims-prompt.ts";

export interface VerifierOptions {
  models: FirstAndFallback<LanguageModel>;
  rubric: Rubric;
  conversation: Conversation;
  signal: AbortSignal;
  charge?: Charge;
}

/** Opinions that one side must be ahead by. More for what customers act on, and where rules have doubts. */
const LEAD = { plain: 3, weighty: 4 };
const WEIGHTY: ClaimKind[] = ["criterion", "answer", "insight"];
const MOST_OPINIONS = 11;
/** A long list is answered with less care. */
const CLAIMS_A_REQUEST = 40;

/**
 * Asks a model of every claim whether the conversation shows it, because quotes cannot tell whose number it
 * is, whether it was taken back, or whether the visitor dictated it. Several opinions are asked for, until
 * one side leads: a model errs now and then. Returns the places of the claims that are shown.
 *
 * Throws as a model does that is away: an evaluation without its verification is not published.
 */
export async function verifyClaims(
  claims: Claim[],
  options: VerifierOptions,
): Promise<Set<string>> {
  const parts = Array.from({ length: Math.ceil(claims.length / CLAIMS_A_REQUEST) }, (_, index) =>
    claims.slice(index * CLAIMS_A_REQUEST, (index + 1) * CLAIMS_A_REQUEST),
  );
  const shown = await Promise.all(parts.map((part) => verifyPart(part, options)));
  return new Set(shown.flat());
}

async function verifyPart(claims: Claim[], options: VerifierOptions): Promise<string[]> {
  const polls = claims.map((claim) => ({ claim, yes: 0, no: 0 }));
  let asked = 0;
  const ask = async (open: Poll[], times: number): Promise<void> => {
    const opinions = await Promise.all(
      Array.from({ length: times }, (_, index) => opinionOf(turned(open, asked + index), options)),
    );
    asked += times;
    for (const [poll, word] of opinions.flatMap((one) => [...one])) poll[word] += 1;
  };
  await ask(polls, LEAD.plain);
  if (polls.every(({ yes, no }) => yes + no === 0))
    throw new ModelRefused("no opinion about the claims can be read");
  for (;;) {
    const open = polls.filter(isOpen);
    if (open.length === 0 || asked >= MOST_OPINIONS) break;
    await ask(open, 1);
  }
  return polls.flatMap(({ claim, yes, no }) => (yes > no ? claim.where : []));
}

interface Poll {
  claim: Claim;
  yes: number;
  no: number;
}

function isOpen({ claim, yes, no }: Poll): boolean {
  return Math.abs(yes - no) < (isWeighty(claim) ? LEAD.weighty : LEAD.plain);
}

function isWeighty({ kind, notFound }: Claim): boolean {
  return WEIGHTY.includes(kind) || notFound.length > 0;
}

/** Another order for each opinion: to the same words a model would give the same answer. */
function turned(polls: Poll[], by: number): Poll[] {
  const at = (by * 7) % polls.length;
  const rotated = [...polls.slice(at), ...polls.slice(0, at)];
  return by % 2 === 0 ? rotated : rotated.toReversed();
}

/** What cannot be read of an answer is no opinion. */
async function opinionOf(
  polls: Poll[],
  { models, rubric, conversation, signal, charge }: VerifierOptions,
): Promise<Map<Poll, Word>> {
  const claims = polls.map(({ claim }) => claim);
  const { messages, schema } = claimsPrompt(claims, rubric, conversation);
  const { text } = await firstThenFallback(models, (model) =>
    model.ask({ name: "claims", messages, schema, signal, ...(charge && { charge }) }),
  );
  const words = readWords(text);
  return new Map(
    polls.flatMap((poll, index) => {
      const word = words.get(String(index + 1));
      return word === undefined ? [] : [[poll, word]];
    }),
  );
}

type Word = "yes" | "no";

const Words = z.record(z.string(), z.unknown());

function readWords(text: string): Map<string, Word> {
  let raw: unknown;
  try {
    raw = parseJson(jsonIn(text));
  } catch {
    return new Map();
  }
  const { data = {} } = Words.safeParse(raw);
  return new Map(
    Object.entries(data).flatMap(([key, value]) => {
      const word = String(value).trim().toLowerCase();
      return word === "yes" || word === "no" ? [[key, word]] : [];
    }),
  );
}
