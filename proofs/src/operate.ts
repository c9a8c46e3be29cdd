import { everyoneCanOperate } from "./operate/everyone-can-operate.ts";
import { leadsAreExplained } from "./operate/leads-are-explained.ts";
import { openOperated } from "./operate/operated-product.ts";
import type { Operated } from "./operate/operated-product.ts";
import { storedTextStaysText } from "./operate/stored-text-stays-text.ts";
import { defineProof } from "./runner/proof.ts";

/** The console as operators use it, in a real browser. */
export default defineProof<Operated>({
  covers: ["console/", "contract/src/", "server/src/operator/", "server/src/webhooks/operator/"],
  open: openOperated,
  claims: {
    // In this order: the second leaves the product without a model, the third without a readable word.
    "everyone-can-operate": everyoneCanOperate,
    "leads-are-explained": leadsAreExplained,
    "stored-text-stays-text": storedTextStaysText,
  },
});
