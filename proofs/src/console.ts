import { consoleStaysFast } from "./console/stays-fast.ts";
import { consoleTellsTheTruth } from "./console/tells-the-truth.ts";
import { defineProof } from "./runner/proof.ts";

/** What the operator's console shows, and how fast. */
export default defineProof({
  covers: [
    "console/",
    "server/src/engagement/",
    "server/src/operator/console/",
    "server/src/operator/pages/",
    "server/src/sessions/digest/",
    "server/src/sessions/operator/",
    "server/src/webhooks/operator/",
  ],
  claims: {
    "console-stays-fast": consoleStaysFast,
    "console-tells-the-truth": consoleTellsTheTruth,
  },
});
