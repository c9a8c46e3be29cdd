import { defineProof } from "./runner/proof.ts";
import { docsReadWell } from "./sites/docs-read-well.ts";
import { playgroundSellsIt } from "./sites/playground-sells-it.ts";
import { openSiteStage } from "./sites/site-stage.ts";
import type { SiteStage } from "./sites/site-stage.ts";

/** The documents' site and the playground in it, as `npm run docs` makes them. */
export default defineProof<SiteStage>({
  covers: [
    "contract/src/",
    "docs/",
    "sdk/build/",
    "sdk/playground/",
    "sdk/src/",
    "tools/src/docs-site/",
  ],
  open: openSiteStage,
  claims: {
    "docs-read-well": docsReadWell,
    "playground-sells-it": playgroundSellsIt,
  },
});
