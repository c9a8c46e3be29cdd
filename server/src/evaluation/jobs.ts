import { defineJob } from "#platform";
import type { Job } from "#platform";
import * as z from "zod";

/** The session has an evaluation that is asked for and not written: again, or once the model is back. */
export const evaluate: Job<{ sessionId: string }> = defineJob({
  name: "evaluate",
  payload: z.strictObject({ sessionId: z.uuid() }),
  // The five minutes of an evaluation, and time to write that it failed.
  expireInSecs: 330,
});
