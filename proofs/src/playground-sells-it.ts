import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "./browsers/browser.ts";
import type { Browser } from "./browsers/browser.ts";
import { buildDocs, openDocsSite } from "./docs/docs-site.ts";
import { PLAYGROUND_PAGES, tryPasted } from "./playground/pasted.ts";
import { playgroundPage } from "./playground/playground-page.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

/** What somebody types who wants to break out of the code that is shown. */
const HOSTILE = `"</script><script>window.broken = true</script><img src=x onerror="window.broken = true">`;

export default defineProof({
  covers: [],
  claims: {
    "playground-sells-it": {
      promise:
        "Every page of the playground loads from the documents' site as plain files, the code it shows works when pasted into a blank page, and its address brings everything back",
      bound: "0 faults on all pages, a broken snippet and a stranger's link are noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const { server, agentId } = await openWholeProduct(onEnd);
        await buildDocs();
        const docs = await openDocsSite({
          "/playground/playground.json": JSON.stringify({ api: server.url, agent: agentId }),
        });
        onEnd(() => docs.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const snippet = `<button id="demo">x</button><script defer src="${server.url}/sdk/no.js"></script>`;
        const control = tryPasted(browser, "button", snippet);

        let faults = 0;
        const left = [...PLAYGROUND_PAGES];
        const tryInTurn = async (): Promise<void> => {
          for (let id = left.shift(); id !== undefined; id = left.shift()) {
            const found = await tryPage(browser, docs.playgroundUrl, id).catch((error) => [
              String(error),
            ]);
            faults += found.length;
            say(`${id}: ${found.length === 0 ? "whole" : found.join("; ")}`);
          }
        };
        await Promise.all([tryInTurn(), tryInTurn(), tryInTurn()]);
        const noticed = (await control).length;
        say(`control: a broken snippet has ${noticed} faults`);

        const bare = await openDocsSite();
        onEnd(() => bare.close());
        const link = `${bare.playgroundUrl}?api=https://stranger.example&agent=${agentId}`;
        const isAsked = await asksFirst(browser, link);
        say(`a link with a stranger's address: ${isAsked ? "asked about first" : "followed"}`);
        return {
          figure: `${faults} faults on ${PLAYGROUND_PAGES.length} pages`,
          ok: faults === 0 && noticed > 0 && isAsked,
          engines: [browser.version],
        };
      },
    },
  },
});

/** As it comes, then with every control turned, then again from the address, on a phone. */
async function tryPage(browser: Browser, playgroundUrl: string, id: string): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const desktop = await browser.newPage({ width: 1440, height: 900 });
  const first = playgroundPage(desktop);
  await first.open(`${playgroundUrl}?page=${id}`);
  const usual = await first.code();
  faults.push(...(await tryPasted(browser, id, usual)));

  const turned = await first.turnEverything(HOSTILE);
  const changed = await first.code();
  check(turned > 0, "it has no controls");
  // Bad days change the preview, not the code.
  check(id === "faults" || changed !== usual, "no control changes the code");
  faults.push(...(await tryPasted(browser, id, changed)));

  const phone = await browser.newPage({ width: 390, height: 844 });
  const second = playgroundPage(phone);
  await second.open(await first.address());
  check((await second.code()) === changed, "its address brings back other code");
  check((await second.settings()) === (await first.settings()), "its address loses settings");
  check(!(await second.isTooWide()), "a phone must scroll sideways");
  faults.push(...(await first.complaints()), ...(await second.complaints()));
  await desktop.close();
  await phone.close();
  return faults;
}

/** A link must not make the site run a script from anywhere. */
async function asksFirst(browser: Browser, link: string): Promise<boolean> {
  const page = await browser.newPage();
  await page.goto(link);
  await delay(500);
  const isAsked = await page.run<boolean>(
    `return document.querySelector(".ask") !== null && document.querySelector("iframe") === null;`,
  );
  await page.close();
  return isAsked;
}
