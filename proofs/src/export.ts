import { exportAlwaysMoves } from "./export/always-moves.ts";
import { csvOpensEverywhere } from "./export/csv-opens-everywhere.ts";
import { losesNothing } from "./export/loses-nothing.ts";
import { refusesNonsense } from "./export/refuses-nonsense.ts";
import { retentionIsQuiet } from "./export/retention-is-quiet.ts";
import { exportSpeed } from "./export/speed.ts";
import { defineProof } from "./runner/proof.ts";

/** What a customer reads over HTTP, JSON and CSV. */
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
    "export-loses-nothing": losesNothing,
    "export-refuses-nonsense": refusesNonsense,
    "export-always-moves": exportAlwaysMoves,
    "export-speed": exportSpeed,
    "csv-opens-everywhere": csvOpensEverywhere,
    "retention-is-quiet": retentionIsQuiet,
  },
});
