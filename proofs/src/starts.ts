import { importIsFaithful } from "./import/is-faithful.ts";
import { jobsOutlivePostgresql } from "./kills/outlive-postgresql.ts";
import { defineProof } from "./runner/proof.ts";
import { clockJumpsHeal } from "./starts/clock-jumps-heal.ts";
import { fullDiskHeals } from "./starts/full-disk-heals.ts";
import { startsCostSomething } from "./starts/starts-cost-something.ts";
import { tenantsShareFairly } from "./starts/tenants-share-fairly.ts";

/** How sessions come into the record and stay there: started by visitors, imported by the operator, through faults of what they stand on. */
export default defineProof({
  covers: [
    "contract/",
    "server/migrations/",
    "server/src/accounts/",
    "server/src/api/",
    "server/src/evaluation/",
    "server/src/live/",
    "server/src/models/",
    "server/src/operator/doctor/",
    "server/src/pipeline/",
    "server/src/platform/",
    "server/src/sessions/",
  ],
  claims: {
    "clock-jumps-heal": clockJumpsHeal,
    "full-disk-heals": fullDiskHeals,
    "import-is-faithful": importIsFaithful,
    "jobs-outlive-postgresql": jobsOutlivePostgresql,
    "starts-cost-something": startsCostSomething,
    "tenants-share-fairly": tenantsShareFairly,
  },
});
