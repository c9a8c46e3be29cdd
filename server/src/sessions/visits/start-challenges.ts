import { createHmac, randomInt } from "node:crypto";
import type { Clock } from "#platform";
import { StartChallenge as ChallengeSchema } from "@svc/contract/schemas";
import type { StartChallenge } from "@svc/contract/types";
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/sha";
import * as z from "zod";
import type { VisitStart } from "./admit-visit.ts";

const EXPIRES_SECS = 120;
/** A browser tries half of them on average, which takes it a second or two. */
const MAX_COUNTER = 50_000;

const Solved = z.object({
  challenge: ChallengeSchema,
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

/**
 * Challenges of ALTCHA for starts that look like a flood. Nothing is stored: a challenge is signed, so
 * that every process knows it, and is for one start key, which starts one session at most.
 */
export class StartChallenges {
  readonly #secret: string;
  readonly #clock: Clock;

  /** @param key the same in every process */
  constructor(key: Buffer, clock: Clock) {
    this.#clock = clock;
    this.#secret = createHmac("sha256", key).update("svc start challenge").digest("hex");
  }

  /** Returns a challenge for this start; undefined if it brings the solution of one. */
  async unsolved(
    agentId: string,
    { idempotencyKey, challengeSolution }: Pick<VisitStart, "idempotencyKey" | "challengeSolution">,
  ): Promise<StartChallenge | undefined> {
    const data = { agent_id: agentId, start_key: idempotencyKey };
    if (challengeSolution !== undefined && (await this.#isSolved(challengeSolution, data)))
      return undefined;
    const challenge = await createChallenge({
      algorithm: "SHA-256",
      cost: 1,
      counter: randomInt(MAX_COUNTER),
      data,
      deriveKey,
      expiresAt: Math.floor(this.#clock.nowMs() / 1_000) + EXPIRES_SECS,
      hmacSignatureSecret: this.#secret,
    });
    return ChallengeSchema.parse(challenge);
  }

  async #isSolved(text: string, start: StartChallenge["parameters"]["data"]): Promise<boolean> {
    try {
      const sent: unknown = JSON.parse(Buffer.from(text, "base64").toString());
      const { challenge, solution } = Solved.parse(sent);
      const { data } = challenge.parameters;
      if (data.agent_id !== start.agent_id || data.start_key !== start.start_key) return false;
      const options = { challenge, solution, deriveKey, hmacSignatureSecret: this.#secret };
      return (await verifySolution(options)).verified;
    } catch {
      // Whoever sends something else than a solution gets a challenge, as if they had sent nothing.
      return false;
    }
  }
}
