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
