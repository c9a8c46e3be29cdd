import { changeAccount, patientSnippet } from "@svc/server/testing";
import { ENGINES, openBrowser } from "../browsers/browser.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { Tools } from "../runner/proof.ts";
import { claimPage } from "./claim-page.ts";
import type { Claim } from "./claims.ts";

export interface Seen {
  untrue: number;
  tried: number;
  versions: string[];
  /** How many faults nobody notices: each is planted in a loaded SDK, and makes one sentence untrue. */
  unnoticed: number;
}

/** Looks at every claim in every engine, each on a page of its own, with the whole product behind it. */
export async function seeClaims(
  claims: Claim[],
  broken: [says: string, plant: string][],
  { say, onEnd, timeLeftMs }: Pick<Tools, "say" | "onEnd" | "timeLeftMs">,
): Promise<Seen> {
  const product = await openWholeProduct(onEnd, { SVC_LIVE_CAPACITY: "500" });
  await changeAccount(product.stage.database.db, product.customer, {
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
  const patient = patientSnippet(facts.serverUrl, facts.agentId);
  const pages = claims.map((claim, index) => {
    const page = claimPage(claim, facts).replace("PATIENT", () => patient);
    return [`/${index}`, page] as const;
  });
  const site = await openCustomerSite(Object.fromEntries(pages));
  onEnd(() => site.close());
  const bodyOf = ({ see, load }: Claim, plant = ""): string =>
    `return (async () => { ${load === "none" ? "" : "await until(() => window.Svc?.version);"} ${plant} ${see} })();`;

  const seen: Seen = { untrue: 0, tried: 0, versions: [], unnoticed: 0 };
  for (const engine of ENGINES) {
    const browser = await openBrowser(engine);
    for (const width of new Set(claims.map((claim) => claim.width))) {
      const page = await browser.newPage(width === undefined ? {} : { width });
      for (const [index, claim] of claims.entries()) {
        if (claim.width !== width || timeLeftMs() === 0) continue;
        await page.goto(`${site.url}/${index}`);
        const isTrue = await page.run<boolean>(bodyOf(claim)).catch(String);
        seen.tried += 1;
        if (isTrue === true) continue;
        seen.untrue += 1;
        say(`${browser.version}: not true: ${claim.says} (${String(isTrue)})`);
      }
      await page.close();
    }
    seen.versions.push(browser.version);
    await browser.close();
  }

  const browser = await openBrowser("chromium");
  const page = await browser.newPage();
  for (const [says, plant] of broken) {
    const index = claims.findIndex((claim) => claim.says === says);
    await page.goto(`${site.url}/${index}`);
    const isTrue = await page.run<boolean>(bodyOf(claims[index]!, plant)).catch(() => false);
    if (isTrue) seen.unnoticed += 1;
  }
  await browser.close();
  say(`control: ${broken.length - seen.unnoticed} of ${broken.length} broken SDKs are noticed`);
  return seen;
}
