import { randomUUID } from "node:crypto";
import { systemClock } from "#platform";
import type { StartChallenge } from "@svc/contract/types";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/sha";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StartChallenges } from "./start-challenges.ts";

const KEY = Buffer.alloc(32, 7);
const AGENT = "agent_a";
const idempotencyKey = randomUUID();

async function challengeOf(challenges: StartChallenges): Promise<StartChallenge> {
  const challenge = await challenges.unsolved(AGENT, { idempotencyKey });
  return challenge!;
}

async function solve(challenge: StartChallenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return encode({ challenge, solution });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}

// A7
describe("a challenge", () => {
  const challenges = new StartChallenges(KEY, systemClock);
  const isSolved = async (
    challengeSolution: string,
    { agent = AGENT, key = idempotencyKey, by = challenges } = {},
  ): Promise<boolean> =>
    (await by.unsolved(agent, { idempotencyKey: key, challengeSolution })) === undefined;

  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("is solved for its start alone, in every process with the same key", async () => {
    const solved = await solve(await challengeOf(challenges));
    expect(await isSolved(solved)).toBe(true);
    expect(await isSolved(solved, { by: new StartChallenges(KEY, systemClock) })).toBe(true);
    expect(
      await isSolved(solved, { by: new StartChallenges(Buffer.alloc(32, 8), systemClock) }),
    ).toBe(false);
    expect(await isSolved(solved, { agent: "agent_b" })).toBe(false);
    expect(await isSolved(solved, { key: randomUUID() })).toBe(false);
  });

  it("expires after two minutes", async () => {
    const solved = await solve(await challengeOf(challenges));
    vi.setSystemTime(Date.now() + 118_000);
    expect(await isSolved(solved)).toBe(true);
    vi.setSystemTime(Date.now() + 4_000);
    expect(await isSolved(solved)).toBe(false);
  });

  it("is not solved by what somebody made up", async () => {
    const challenge = await challengeOf(challenges);
    const { parameters } = challenge;
    const easy = { ...challenge, parameters: { ...parameters, keyPrefix: "00" } };
    const longer = { ...challenge, parameters: { ...parameters, expiresAt: 1e10 } };
    const zero = { counter: 0, derivedKey: "00" };
    for (const made of [
      "",
      "no base64",
      encode(null),
      encode({ challenge }),
      encode({ challenge, solution: zero }),
      encode({ challenge, solution: { counter: "0", derivedKey: parameters.keyPrefix } }),
      await solve(easy),
      await solve(longer),
    ]) {
      expect(await isSolved(made), made).toBe(false);
    }
  });
});
