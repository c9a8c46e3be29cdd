import { defineProof } from "./runner/proof.ts";
import { oldAndNewTogether } from "./upgrade/old-and-new-together.ts";
import { restoreDrill } from "./upgrade/restore-drill.ts";

/** From one release to the next and back, and from a backup. */
export default defineProof({
  covers: [
    "server/migrations/",
    "server/src/followup/",
    "server/src/platform/database/",
    "server/src/platform/queue/",
    "server/src/rights/",
  ],
  claims: { "old-and-new-together": oldAndNewTogether, "restore-drill": restoreDrill },
});
