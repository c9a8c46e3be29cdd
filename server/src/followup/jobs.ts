import { defineJob } from "#platform";
import type { Job } from "#platform";
import * as z from "zod";

/** One attempt to send a session's mail: the one after so many. */
export const followUp: Job<{ sessionId: string; attempts: number }> = defineJob({
  name: "follow-up",
  payload: z.strictObject({ sessionId: z.uuid(), attempts: z.int().min(0) }),
  // The mail server's two minutes, and time to write what it said.
  expireInSecs: 150,
});
