import { defineProof } from "./runner/proof.ts";
import { oldAndNewTogether } from "./upgrade/old-and-new-together.ts";

/** From one release to the next, and back. */
export default defineProof({
  covers: ["server/migrations/", "server/src/platform/database/", "server/src/platform/queue/"],
  claims: { "old-and-new-together": oldAndNewTogether },
});
