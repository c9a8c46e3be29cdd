import { startMailCatcher } from "@svc/rehearsal";
import fc from "fast-check";
import { sendCarelessly } from "./mail/careless-control.ts";
import { deliverToPostfix } from "./mail/deliver-to-postfix.ts";
import { hostileMails } from "./mail/hostile-mails.ts";
import { playHostileMails } from "./mail/play-hostile-mails.ts";
import type { HostileTally } from "./mail/play-hostile-mails.ts";
import { playProduct } from "./mail/play-product.ts";
import { playServerFaults } from "./mail/play-server-faults.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const BATCH = 500;
/** For what comes after the hostile mails. */
const PRODUCT_MS = 45_000;
const TWO_IN_ONE = "ada@customer.test,eve@evil.test";

// D6, D7, D8, D9
export default defineProof({
  covers: [],
  claims: {
    "mail-reaches-one": {
      promise: "A mail reaches exactly the address that was given, or nobody",
      bound: "0 mails to others, with headers not ours, or too many",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const catcher = await startMailCatcher();
        onEnd(() => catcher.close());
        const wanted = full ? 100_000 : 2_000;
        const tally: HostileTally = { tried: 0, stored: 0, mailed: 0, faults: [] };
        for (let batch = 0; tally.tried < wanted && timeLeftMs() > PRODUCT_MS; batch++) {
          const drawn = fc.sample(hostileMails, { numRuns: BATCH, seed: seed + batch });
          await playHostileMails(catcher, drawn, tally);
          progress(tally.tried, wanted, "hostile mails");
        }
        say(
          `${tally.tried} hostile addresses, names and subjects: ${tally.stored} became an email, ${tally.mailed} were mailed, ${tally.faults.length} wrong; seed ${seed}`,
        );
        // Both wait more than they work.
        const [server, postfix] = await Promise.all([
          playServerFaults(onEnd),
          deliverToPostfix(full ? 1_000 : 100, seed, onEnd),
        ]);
        say(
          `${server.cases} ways of a mail server to fail, ${server.faults.length} taken otherwise`,
        );
        say(
          `Postfix: ${postfix.sent} mails in its mailbox, ${postfix.refused} refused, ${postfix.faults.length} wrong`,
        );
        const stage = await openStage();
        onEnd(() => stage.close());
        const product = await playProduct(stage, {
          count: full ? 300 : 40,
          seed,
          timeLeftMs,
          onEnd,
        });
        say(
          `${product.sessions} talks in the whole product, ${product.addressed} with an address, ${product.mails} mails, ${product.dictated} summaries with a link that the visitor dictated, ${product.faults.length} wrong`,
        );
        const reached = await sendCarelessly(TWO_IN_ONE);
        say(
          `control, the same library given the address as text: one mail reached ${reached.length}`,
        );

        const faults = [product, server, postfix, tally].flatMap((one) => one.faults);
        for (const fault of faults.slice(0, 10)) say(`  ${fault}`);
        const mails = product.mails + postfix.sent + tally.mailed;
        return {
          figure: `${faults.length} wrong of ${mails.toLocaleString("en")} mails for ${tally.tried.toLocaleString("en")} hostile addresses, ${server.cases} server faults; control reached ${reached.length}`,
          ok:
            faults.length === 0 &&
            tally.mailed > tally.tried / 4 &&
            tally.stored < tally.tried &&
            postfix.sent > 0 &&
            product.dictated > 0 &&
            reached.length === 2,
          size: `${tally.tried.toLocaleString("en")} addresses`,
        };
      },
    },
  },
});
