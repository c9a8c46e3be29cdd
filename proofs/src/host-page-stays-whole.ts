import { ENGINES, openBrowser } from "./browsers/browser.ts";
import { HOSTILE_PAGES, pageHtml } from "./hostile/hostile-page.ts";
import { tryOthers } from "./hostile/other-widgets.ts";
import { tryPage } from "./hostile/try-page.ts";
import { openCustomerSite } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { changeAccount } from "@svc/server/testing";
import { defineProof } from "./runner/proof.ts";

/** A page that the SDK does hurt: what the battery must notice. */
const PLANTED = `document.querySelector("h1").style.color = "red"; window.leak = 1; setTimeout(() => { throw new Error("ours"); });`;

// V7, S5, S6
export default defineProof({
  covers: [],
  claims: {
    "host-page-stays-whole": {
      promise: "Nothing of ours hurts a page, and no page keeps ours from working",
      bound:
        "0 faults on every hostile page in Chromium, Firefox and WebKit, a planted fault is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, timeLeftMs }) => {
        const product = await openWholeProduct(onEnd, { SVC_LIVE_CAPACITY: "500" });
        await changeAccount(product.stage.database.db, product.customer, {
          limits: {
            starts_per_minute_per_address: "none",
            at_once_per_address: "none",
            at_once_per_agent: "none",
          },
        });
        const { url: sdkUrl } = product.server;
        const sites = await Promise.all(
          HOSTILE_PAGES.map((page) =>
            openCustomerSite(
              { "/": pageHtml(page, sdkUrl, product.agentId) },
              page.headers?.(sdkUrl) ?? {},
            ),
          ),
        );
        onEnd(() => Promise.all(sites.map((site) => site.close())));

        const versions: string[] = [];
        let faulty = 0;
        let tried = 0;
        for (const engine of ENGINES) {
          const browser = await openBrowser(engine);
          // A tab for each width: every page has an origin of its own.
          for (const width of new Set(HOSTILE_PAGES.map((hostile) => hostile.width))) {
            const page = await browser.newPage(width === undefined ? {} : { width });
            for (const [index, hostile] of HOSTILE_PAGES.entries()) {
              if (hostile.width !== width || timeLeftMs() === 0) continue;
              const before = page.said().length;
              await page.goto(sites[index]!.url);
              const faults = await page
                .run<string[]>(tryPage(hostile))
                .catch((error) => [String(error)]);
              const said = page.said().slice(before).filter(isError);
              tried += 1;
              if (faults.length + said.length === 0) continue;
              faulty += 1;
              say(`${engine}, ${hostile.name}: ${[...faults, ...said].join("; ")}`);
            }
            await page.close();
          }
          versions.push(browser.version);
          await browser.close();
        }

        const browser = await openBrowser("chromium");
        const page = await browser.newPage();
        await page.goto(sites[0]!.url);
        const planted = await page.run<string[]>(
          tryPage({ name: "planted", tries: [], act: PLANTED }),
        );
        const others = full ? await tryOthers(browser, say) : undefined;
        await browser.close();
        for (const [name, failures] of others ?? [])
          say(`control, ${name}: fails on ${failures} pages`);
        const isTooEasy =
          others !== undefined && [...others.values()].every((count) => count === 0);
        say(`control: ${planted.length} of 2 planted faults are noticed: ${planted.join("; ")}`);
        return {
          figure: `${faulty} of ${tried} pages with faults in ${versions.join(", ")}`,
          ok:
            faulty === 0 &&
            !isTooEasy &&
            tried === HOSTILE_PAGES.length * ENGINES.length &&
            planted.length >= 2,
          engines: versions,
        };
      },
    },
  },
});

/** What a page that is told of a broken service says about it is its own. */
function isError(line: string): boolean {
  return line.startsWith("error:") && !line.includes("Failed to load resource");
}
