import { openPooled, pooledIsTheSame, pooledLimitsHold } from "./database/pooled.ts";
import type { Pooled } from "./database/pooled.ts";
import { defineProof } from "./runner/proof.ts";

/** What may lie between the service and its database. */
export default defineProof<Pooled[]>({
  covers: [
    "docs/operate/postgresql.md",
    "server/src/platform/database/",
    "server/src/platform/queue/",
    "server/src/sessions/export/",
  ],
  open: openPooled,
  claims: {
    "pooled-is-the-same": pooledIsTheSame,
    "pooled-limits-hold": pooledLimitsHold,
  },
});
