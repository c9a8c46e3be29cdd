import { defineJob } from "#platform";
import type { Job } from "#platform";
import * as z from "zod";

/** One attempt of one delivery, given to it by the dispatcher with one of its endpoint's slots. */
export const deliver: Job<{ deliveryId: string }> = defineJob({
  name: "deliver",
  payload: z.strictObject({ deliveryId: z.string().regex(/^\d+$/) }),
  // The receiver's ten seconds, and time to write what it answered.
  expireInSecs: 15,
});
