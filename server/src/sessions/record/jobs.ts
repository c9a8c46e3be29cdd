import { defineJob } from "#platform";
import type { Job } from "#platform";
import * as z from "zod";

/** A conversation has ended and its evaluation is due. Sent by the transaction that ends it. */
export const sessionEnded: Job<{ sessionId: string }> = defineJob({
  name: "session-ended",
  payload: z.strictObject({ sessionId: z.uuid() }),
  // The five minutes of an evaluation, and time to write that it failed.
  expireInSecs: 330,
});

/**
 * It is not known whether the domain of the session's address accepts mail. Sent by the transaction that stores the
 * address, and again while nobody answers. The address itself stays in the session, where it can be erased.
 */
export const checkDomain: Job<{ sessionId: string; timesAsked: number }> = defineJob({
  name: "check-domain",
  payload: z.strictObject({ sessionId: z.uuid(), timesAsked: z.int().nonnegative() }),
  expireInSecs: 30,
});
