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

/** What others put on pages, as npm has it: the same pages must not be too easy. */
interface OtherWidget {
  name: string;
  npm: string;
  file: string;
  /** As its documentation shows; `FILE` is its script's address. */
  markup: string;
}

const OTHERS: OtherWidget[] = [
  {
    name: "ElevenLabs",
    npm: "@elevenlabs/convai-widget-embed@0.5.4",
    file: "@elevenlabs/convai-widget-embed/dist/index.js",
    markup:
      '<elevenlabs-convai agent-id="x"></elevenlabs-convai><script nonce="n" src="FILE" async></script>',
  },
  {
    name: "Vapi",
    npm: "@vapi-ai/client-sdk-react@0.1.1",
    file: "@vapi-ai/client-sdk-react/dist/embed/widget.umd.js",
    markup:
      '<vapi-widget assistant-id="x" public-key="y"></vapi-widget><script nonce="n" src="FILE" async></script>',
  },
  {
    name: "Typebot",
    npm: "@typebot.io/js@0.10.7",
    file: "@typebot.io/js/dist/web.js",
    markup:
      '<script nonce="n" type="module">import Typebot from "FILE"; Typebot.initBubble({ typebot: "x" });</script>',
  },
  {
    name: "Cal",
    npm: "@calcom/embed-core@1.5.3",
    file: "@calcom/embed-core/dist/embed/embed.js",
    markup:
      '<script nonce="n">window.Cal = window.Cal || function () { (Cal.q = Cal.q || []).push(arguments); }; Cal.loaded = true; Cal.ns = {}; Cal.q = []; Cal("init", { origin: "https://cal.example" }); Cal("floatingButton", { calLink: "x" });</script><script nonce="n" src="FILE"></script>',
  },
];
const HOME = join(import.meta.dirname, "../../.out/other-widgets");

/** On how many of the hostile pages each of them throws, or breaks the page's policy. Failed requests do not count: their services are out of reach here. */
export async function tryOthers(
  browser: Browser,
  say: (line: string) => void,
): Promise<Map<string, number>> {
  await install();
  const counts = new Map<string, number>();
  for (const other of OTHERS) {
    const source = await readFile(join(HOME, "node_modules", other.file), "utf8");
    let failures = 0;
    for (const hostile of HOSTILE_PAGES.filter((page) => page.isCutOff === undefined)) {
      const troubles = await troublesOf(browser, hostile, other, source);
      if (troubles.length === 0) continue;
      failures += 1;
      say(`  ${other.name}, ${hostile.name}: ${troubles[0]!.slice(0, 120)}`);
    }
    counts.set(other.name, failures);
  }
  return counts;
}

async function troublesOf(
  browser: Browser,
  hostile: HostilePage,
  { markup }: OtherWidget,
  source: string,
): Promise<string[]> {
  const pages: Record<string, string> = { "/widget.js": source };
  const site = await openCustomerSite(pages, hostile.headers?.("'self'") ?? {});
  const isTwice = hostile.name.includes("twice");
  const once = markup.replaceAll("FILE", `${site.url}/widget.js`);
  // Theirs in place of ours.
  const page = { ...hostile, load: "", body: `${hostile.body ?? ""}${once}${isTwice ? once : ""}` };
  pages["/"] = pageHtml(page, site.url, "agent_x");
  const tab = await browser.newPage(hostile.width === undefined ? {} : { width: hostile.width });
  await tab.goto(site.url);
  const troubles = await runIn(tab, hostile.act ?? (() => {}))
    .then(() => delay(700))
    .then(() => tab.run(() => window.troubles))
    .catch((error) => [String(error)]);
  await tab.close();
  await site.close();
  return troubles.filter((line) => !/fetch|network|ERR_|connect-src|Load failed/i.test(line));
}

async function install(): Promise<void> {
  if (existsSync(join(HOME, "node_modules"))) return;
  await mkdir(HOME, { recursive: true });
  await writeFile(join(HOME, "package.json"), '{ "private": true }');
  const packages = OTHERS.map(({ npm }) => npm);
  await promisify(execFile)(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages],
    {
      cwd: HOME,
    },
  );
}
