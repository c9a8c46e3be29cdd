import { changeAccount, patientSnippet } from "@svc/server/testing";
import { ENGINES, openBrowser } from "./browsers/browser.ts";
import type { Engine } from "./browsers/browser.ts";
import { claimPage } from "./core/claim-page.ts";
import { CLAIMS as SAID } from "./core/claims.ts";
import { documentedClaims } from "./core/documented.ts";
import { openCustomerSite } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { proof } from "./runner/proof.ts";

const CLAIMS = [...SAID, ...documentedClaims()];

/** Faults planted in a loaded SDK, and the sentence that each makes untrue. */
const BROKEN: [says: string, plant: string][] = [
  ["setMetadata replaces, and copies", "Svc.setMetadata = () => {};"],
  [
    "startDemo's metadata is merged over what setMetadata has set",
    "const start = Svc.startDemo; Svc.startDemo = () => start();",
  ],
  [
    "getLanguages lists the agent's languages, those of the visitor first",
    "const list = Svc.getLanguages; Svc.getLanguages = async () => (await list()).toSorted();",
  ],
];

await proof(
  {
    promise:
      "The SDK's core does what the specification and the documentation say, sentence by sentence",
    bound: "0 sentences untrue in Chromium, Firefox and WebKit, a broken SDK is noticed",
    timeLimitSecs: { quick: 90 },
  },
  async ({ say, onEnd, timeLeftMs }) => {
    const product = await openWholeProduct(onEnd, { SVC_LIVE_CAPACITY: "500" });
    const { database } = product.stage;
    await changeAccount(database.db, product.customer, {
      defaultAgentId: product.agentId,
      limits: {
        starts_per_minute_per_address: "none",
        at_once_per_address: "none",
        at_once_per_agent: "none",
      },
    });
    const facts = {
      serverUrl: product.server.url,
      agentId: product.agentId,
      clientId: product.customer.account.clientId,
    };
    const site = await openCustomerSite(
      Object.fromEntries(
        CLAIMS.map((claim, index) => [
          `/${index}`,
          claimPage(claim, facts).replace("PATIENT", () =>
            patientSnippet(facts.serverUrl, facts.agentId),
          ),
        ]),
      ),
    );
    onEnd(() => site.close());

    let untrue = 0;
    let tried = 0;
    const versions: string[] = [];
    async function tryAll(engine: Engine): Promise<void> {
      const browser = await openBrowser(engine);
      const page = await browser.newPage();
      versions.push(browser.version);
      for (const [index, claim] of CLAIMS.entries()) {
        if (timeLeftMs() === 0) break;
        await page.goto(`${site.url}/${index}`);
        const isTrue = await page
          .run<boolean>(
            `return (async () => { if (a !== "none") await until(() => window.Svc?.version); ${claim.see} })();`,
            claim.load ?? "script",
          )
          .catch((error: unknown) => String(error));
        tried += 1;
        if (isTrue === true) continue;
        untrue += 1;
        say(`${browser.version}: not true: ${claim.says} (${String(isTrue)})`);
      }
      await page.close();
      await browser.close();
    }
    for (const engine of ENGINES) await tryAll(engine);
    const unnoticed = await tryBroken(site.url);
    say(`control: ${BROKEN.length - unnoticed} of ${BROKEN.length} broken SDKs are noticed`);

    return {
      figure: `${untrue} of ${tried} sentences untrue in ${versions.join(", ")}`,
      ok: untrue === 0 && unnoticed === 0 && tried === CLAIMS.length * ENGINES.length,
      engines: versions,
    };
  },
);

/** How many of them nobody notices. */
async function tryBroken(siteUrl: string): Promise<number> {
  const browser = await openBrowser("chromium");
  const page = await browser.newPage();
  let unnoticed = 0;
  for (const [says, plant] of BROKEN) {
    const index = CLAIMS.findIndex((claim) => claim.says === says);
    await page.goto(`${siteUrl}/${index}`);
    const body = `return (async () => { await until(() => window.Svc?.version); ${plant} ${CLAIMS[index]!.see} })();`;
    const isTrue = await page.run<boolean>(body).catch(() => false);
    if (isTrue) unnoticed += 1;
  }
  await browser.close();
  return unnoticed;
}
