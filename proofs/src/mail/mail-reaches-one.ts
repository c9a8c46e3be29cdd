import { startMailCatcher } from "@svc/rehearsal";
import fc from "fast-check";
import { createTransport } from "nodemailer";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { hostileMails, playHostileMails } from "./hostile-mails.ts";
import type { HostileTally } from "./hostile-mails.ts";
import { playProduct } from "./play-product.ts";
import { deliverToPostfix } from "./postfix.ts";

const BATCH = 500;
/** For what comes after the hostile mails. */
const PRODUCT_MS = 45_000;
const TWO_IN_ONE = "ada@customer.test,eve@evil.test";

export const mailReachesOne: Claim<undefined> = {
  promise: "A mail reaches exactly the address that was given, or nobody",
  bound: "0 mails to others, with headers not ours, or too many",
  timeLimitSecs: { quick: 90 },
  tier: "gate",
  prove: async (tools) => {
    const { seed, sized, say, progress, onEnd, timeLeftMs } = tools;
    const wanted = sized({
      gate: { hostile: BATCH, elsewhere: undefined },
      quick: { hostile: 2_000, elsewhere: { postfix: 100, talks: 40 } },
      full: { hostile: 100_000, elsewhere: { postfix: 1_000, talks: 300 } },
    });
    const catcher = await startMailCatcher();
    onEnd(() => catcher.close());
    const tally: HostileTally = { tried: 0, stored: 0, mailed: 0, faults: [] };
    const keptMs = wanted.elsewhere === undefined ? 0 : PRODUCT_MS;
    for (let batch = 0; tally.tried < wanted.hostile && timeLeftMs() > keptMs; batch++) {
      const drawn = fc.sample(hostileMails, { numRuns: BATCH, seed: seed + batch });
      await playHostileMails(catcher, drawn, tally);
      progress(tally.tried, wanted.hostile, "hostile mails");
    }
    const { tried, stored, mailed } = tally;
    say(
      `${tried} hostile addresses, names and subjects: ${stored} became an email, ${mailed} were mailed, ${tally.faults.length} wrong`,
    );
    const faults = [...tally.faults];
    let mails = mailed;
    let isElsewhereFine = true;
    if (wanted.elsewhere !== undefined) {
      const postfix = await deliverToPostfix(wanted.elsewhere.postfix, seed, onEnd);
      say(
        `Postfix: ${postfix.sent} mails in its mailbox, ${postfix.refused} refused, ${postfix.faults.length} wrong`,
      );
      const stage = await openStage();
      onEnd(() => stage.close());
      const product = await playProduct(stage, tools, wanted.elsewhere.talks);
      say(
        `${product.sessions} talks in the whole product, ${product.addressed} with an address, ${product.mails} mails, ${product.faults.length} wrong`,
      );
      faults.push(...product.faults, ...postfix.faults);
      mails += product.mails + postfix.sent;
      isElsewhereFine = postfix.sent > 0 && product.mails > 0;
    }
    const reached = await sendCarelessly(TWO_IN_ONE);
    for (const fault of faults.slice(0, 10)) say(`  ${fault}`);
    return {
      figure: `${faults.length} wrong of ${mails.toLocaleString("en")} mails for ${tried.toLocaleString("en")} hostile addresses; control reached ${reached.length} with one mail`,
      ok:
        faults.length === 0 &&
        mailed > tried / 4 &&
        stored < tried &&
        isElsewhereFine &&
        reached.length === 2,
      size: `${tried.toLocaleString("en")} addresses`,
    };
  },
};

/** The control: the same library, given an address as plain text. Returns everyone that the one mail reached. */
async function sendCarelessly(address: string): Promise<string[]> {
  const catcher = await startMailCatcher();
  try {
    const { hostname: host, port } = new URL(catcher.smtpUrl);
    const transport = createTransport({ host, port: Number(port), ignoreTLS: true });
    const message = { from: "hello@svc.test", subject: "Hello", text: "Hello." };
    await transport.sendMail({ ...message, to: address });
    return catcher.mails().flatMap(({ to }) => to);
  } finally {
    await catcher.close();
  }
}
