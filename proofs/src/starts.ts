import { importIsFaithful } from "./import/is-faithful.ts";
import { defineProof } from "./runner/proof.ts";
import { fullDiskHeals } from "./starts/full-disk-heals.ts";

/** How sessions come into the record: started by visitors, imported by the operator. */
export default defineProof({
  covers: [
    "contract/",
    "server/migrations/",
    "server/src/accounts/",
    "server/src/api/",
    "server/src/platform/",
    "server/src/sessions/",
  ],
  claims: {
    "full-disk-heals": fullDiskHeals,
    "import-is-faithful": importIsFaithful,
  },
});
