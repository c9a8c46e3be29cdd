import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINES } from "../browsers/browser.ts";
import type { Browser, Engine } from "../browsers/browser.ts";
import { SDK_FILES } from "../product/whole-product.ts";
import type { Claim } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";

/** Worklets, the gate among them, are no modules of the page: `addModule` loads them, which reads no import map. */
const CHUNKS = /^(?!worklets|gate)[a-z-]+\.[0-9a-f]{6,8}\.js$/;

/** Engines that verify by import maps. WebKit, as of WebKitGTK 2.50, runs the changed module. */
const VERIFYING: readonly Engine[] = ["chromium", "firefox"];

export const whatRunsIsWhatWasBuilt: Claim<PageStage> = {
  promise:
    "A page that pins the SDK by hash and import map runs no chunk that was changed on its way, under a strict policy",
  bound:
    "every chunk loads as built in Chromium, Firefox and WebKit, 0 changed chunks run in Chromium and Firefox (WebKit reads no hashes in import maps); without the map all of them do",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd }, { product: { server }, openSite, browser }) {
    const names = readdirSync(SDK_FILES).filter((name) => CHUNKS.test(name));
    const version = /version:["'`](\d+\.\d+\.\d+)/.exec(readBuilt("sdk.js"))![1]!;
    const pinned = `${server.url}/sdk/${version}`;
    const map = await (await fetch(`${pinned}/importmap.json`)).text();

    const changed = names.map((name) => [`/${name}`, `${readBuilt(name)};globalThis.ran=1;`]);
    const mirror = await openSite(onEnd, Object.fromEntries(changed), {
      "access-control-allow-origin": "*",
    });
    const strict = (origin: string) => ({
      "content-security-policy": `default-src 'none'; script-src 'nonce-page' ${origin}`,
    });
    const honestSite = await openSite(onEnd, { "/": pageHtml(map) }, strict(server.url));
    const hashes = names.map((name) => [`${mirror}/${name}`, integrityOf(readBuilt(name))]);
    const mirrorMap = JSON.stringify({ integrity: Object.fromEntries(hashes) });
    const sites = {
      guarded: await openSite(onEnd, { "/": pageHtml(mirrorMap) }, strict(mirror)),
      bare: await openSite(onEnd, { "/": pageHtml("{}") }, strict(mirror)),
    };

    const browsers = await Promise.all(ENGINES.map(browser));
    let ok = names.length > 20;
    const figures: string[] = [];
    for (const one of browsers) {
      const loaded = await importAll(one, honestSite, pinned, names);
      const ran = await importAll(one, sites.guarded, mirror, names);
      const control = await importAll(one, sites.bare, mirror, names);
      say(
        `${one.version}: ${loaded.loaded} of ${names.length} load as built, ${ran.ran} changed ones run, ${control.ran} without the map`,
      );
      const isVerified = ran.ran === 0 || !VERIFYING.includes(one.engine);
      ok &&= loaded.loaded === names.length && isVerified && control.ran === names.length;
      figures.push(`${ran.ran} of ${names.length} in ${one.version}`);
    }
    return {
      figure: `changed chunks that ran: ${figures.join(", ")}`,
      ok,
      engines: browsers.map((one) => one.version),
    };
  },
};

function readBuilt(name: string): string {
  return readFileSync(join(SDK_FILES, name), "utf8");
}

function integrityOf(text: string): string {
  return `sha384-${createHash("sha384").update(text).digest("base64")}`;
}

function pageHtml(map: string): string {
  return `<!doctype html><title>A shop</title><script type="importmap" nonce="page">${map}</script>`;
}

/** Imports each chunk as the SDK does, from a script of the page: how many load, and how many of the changed ones run. */
async function importAll(
  browser: Browser,
  site: string,
  base: string,
  names: string[],
): Promise<{ loaded: number; ran: number }> {
  const page = await browser.newPage();
  await page.goto(site);
  const counted = await page.run<{ loaded: number; ran: number }>(
    `return (async () => {
       const counted = { loaded: 0, ran: 0 };
       for (const name of b) {
         delete globalThis.ran;
         await import(a + "/" + name).then(() => { counted.loaded += 1; }, () => {});
         if (globalThis.ran === 1) counted.ran += 1;
       }
       return counted;
     })()`,
    base,
    names,
  );
  await page.close();
  return counted;
}
