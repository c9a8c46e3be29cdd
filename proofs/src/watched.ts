import { defineProof } from "./runner/proof.ts";
import { alertsFire } from "./watched/alerts-fire.ts";

/** What an operator's monitoring says about a running system. */
export default defineProof({
  covers: ["deploy/prometheus/", "server/src/pipeline/", "server/src/platform/observability/"],
  claims: { "alerts-fire": alertsFire },
});
