import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser } from "../browsers/browser.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import { HOSTILE_PAGES, pageHtml } from "./hostile-pages.ts";
import type { HostilePage } from "./hostile-pages.ts";
import { runIn } from "./in-page.ts";

/** What others put on pages, with the markup of their documentation; `FILE` stands for the script's address. */
const OTHERS: [npm: string, version: string, file: string, markup: string][] = [
  [
    "@elevenlabs/convai-widget-embed",
    "0.5.4",
    "dist/index.js",
    '<elevenlabs-convai agent-id="x"></elevenlabs-convai><script nonce="n" src="FILE" async></script>',
  ],
  [
    "@vapi-ai/client-sdk-react",
    "0.1.1",
    "dist/embed/widget.umd.js",
    '<vapi-widget assistant-id="x" public-key="y"></vapi-widget><script nonce="n" src="FILE" async></script>',
  ],
  [
    "@typebot.io/js",
    "0.10.7",
    "dist/web.js",
    '<script nonce="n" type="module">import Typebot from "FILE"; Typebot.initBubble({ typebot: "x" });</script>',
  ],
  [
    "@calcom/embed-core",
    "1.5.3",
    "dist/embed/embed.js",
    '<script nonce="n">window.Cal = window.Cal || function () { (Cal.q = Cal.q || []).push(arguments); }; Cal.loaded = true; Cal.ns = {}; Cal.q = []; Cal("init", { origin: "https://cal.example" }); Cal("floatingButton", { calLink: "x" });</script><script nonce="n" src="FILE"></script>',
  ],
];
const HOME = join(import.meta.dirname, "../../.out/other-widgets");

/** How often one of them throws on a hostile page, or breaks its policy. If none ever did, the pages would be too easy. */
export async function tryOthers(browser: Browser, say: (line: string) => void): Promise<number> {
  if (!existsSync(join(HOME, "node_modules"))) {
    await mkdir(HOME, { recursive: true });
    await writeFile(join(HOME, "package.json"), '{ "private": true }');
    const packages = OTHERS.map(([npm, version]) => `${npm}@${version}`);
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    await promisify(execFile)("npm", words, { cwd: HOME });
  }
  let failures = 0;
  for (const [npm, , file, markup] of OTHERS) {
    const source = await readFile(join(HOME, "node_modules", npm, file), "utf8");
    for (const hostile of HOSTILE_PAGES.filter((page) => page.isCutOff === undefined)) {
      const [trouble] = await troublesOf(browser, hostile, markup, source);
      if (trouble === undefined) continue;
      failures += 1;
      say(`control, ${npm}, ${hostile.name}: ${trouble.slice(0, 120)}`);
    }
  }
  return failures;
}

async function troublesOf(
  browser: Browser,
  hostile: HostilePage,
  markup: string,
  source: string,
): Promise<string[]> {
  const pages: Record<string, string> = { "/widget.js": source };
  const site = await openCustomerSite(pages, hostile.headers?.("'self'") ?? {});
  const times = hostile.name.includes("twice") ? 2 : 1;
  const widget = markup.replaceAll("FILE", `${site.url}/widget.js`).repeat(times);
  // Theirs in place of ours.
  const host = { ...hostile, load: "", body: `${hostile.body ?? ""}${widget}` };
  pages["/"] = pageHtml(host, site.url, "agent_x");
  const page = await browser.newPage(hostile.width === undefined ? {} : { width: hostile.width });
  await page.goto(site.url);
  const troubles = await runIn(page, hostile.act ?? (() => {}))
    .then(() => delay(700))
    .then(() => page.run(() => window.troubles))
    .catch((error) => [String(error)]);
  await page.close();
  await site.close();
  // Their services are out of reach here.
  return troubles.filter((line) => !/fetch|network|ERR_|connect-src|Load failed/i.test(line));
}
