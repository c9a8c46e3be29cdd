import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./browsers/browser.ts";
import type { Browser, PageOptions } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { waitUntil } from "./browsers/wait-until.ts";
import { isFaceWorn } from "./pages/avatar-stays-light.ts";
import { untilStill } from "./pages/audit.ts";
import { REFUSED_STATES, STATES } from "./pages/states.ts";
import { Album } from "./pictures/album.ts";
import type { Take } from "./pictures/album.ts";
import { drawEntries } from "./pictures/entries.ts";
import { drawFaces } from "./pictures/faces.ts";
import { tourIsFaithful } from "./pictures/tour-is-faithful.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";

/** The share of a picture that may differ: another version of a font moves a few letters. */
const MAX_DIFFERENT = 0.06;
/** There are no letters in faces: hardly a point may be another. */
const MAX_DIFFERENT_FACE = 0.005;
/** Pairs that must not look the same: another state, an error, mouths that stay shut. */
const PLANTED: [one: string, other: string][] = [
  ["call-desktop-slide", "call-desktop-ended"],
  ["entry-plain-widget-form", "entry-bank-widget-error"],
  ["face-linden-light", "planted-face"],
];
/** Shown in the documentation. */
const DOCUMENTED = [
  "call-desktop-notice",
  "call-desktop-slide",
  "call-desktop-dark-email",
  "call-phone-slide",
];
const IMAGES = join(import.meta.dirname, "../../docs/images");

export default defineProof({
  covers: [
    "contract/src/",
    "sdk/build/",
    "sdk/src/",
    "server/src/agents/",
    "server/src/conversation/",
    "server/src/live/",
    "server/src/operator/",
  ],
  claims: {
    "tour-is-faithful": tourIsFaithful,
    "looks-as-drawn": {
      promise:
        "Call, widget, hero and faces look as they were drawn: every state and position, on desktop and phone, light and dark",
      bound: `at most ${MAX_DIFFERENT * 100} % of a picture differ, ${MAX_DIFFERENT_FACE * 100} % of faces; another state, an error and a mouth that does not move are noticed`,
      formerly: ["call-looks-as-drawn", "entries-look-as-drawn", "faces-stay-put"],
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      /** SVC_PICTURES=write makes new references; a folder's name there saves all pictures in it. */
      prove: async (tools) => {
        const { say, onEnd } = tools;
        const aim = process.env["SVC_PICTURES"] ?? "";
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const album = await Album.open(browser);
        const take: Take = async (name, png) => {
          await album.add(name, png);
          const isDocumented = aim === "write" && DOCUMENTED.includes(name);
          if (isDocumented) await writeFile(join(IMAGES, `${name}.png`), png);
          if (aim !== "" && aim !== "write") await writeFile(join(aim, `${name}.png`), png);
        };
        for (const draw of [drawCalls, drawEntries, drawFaces]) await draw(browser, tools, take);
        if (aim === "write") await album.keep();

        const shares = await album.compare();
        if (shares === undefined) say("not compared: the references have other fonts");
        const wrong = [...(shares ?? [])].filter(([name, share]) => share > maxFor(name));
        for (const [name, share] of wrong) say(`${name}: ${percent(share)} differ`);
        const unnoticed = PLANTED.filter(
          ([one, other]) => album.difference(one, other) <= maxFor(one),
        );
        for (const pair of unnoticed) say(`control: ${pair.join(" and ")} look the same`);
        const most = Math.max(0, ...(shares?.values() ?? []));
        return {
          figure: `${wrong.length} of ${album.size} pictures differ, at most ${percent(most)}`,
          ok: wrong.length === 0 && unnoticed.length === 0,
          engines: [browser.version],
        };
      },
    },
  },
});

function maxFor(name: string): number {
  return name.startsWith("face-") ? MAX_DIFFERENT_FACE : MAX_DIFFERENT;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const VIEWS: [name: string, options: PageOptions][] = [
  ["desktop", {}],
  ["desktop-dark", { dark: true }],
  ["phone", { width: 390, height: 844 }],
  ["phone-dark", { width: 390, height: 844, dark: true }],
];

async function drawCalls(browser: Browser, { onEnd }: Tools, take: Take): Promise<void> {
  const product = await openWholeProduct(onEnd);
  const site = await openCustomerSite({ "/": pageWith(product.server.url, product.agentId) });
  onEnd(() => site.close());
  for (const [view, options] of VIEWS) {
    const page = await browser.newPage({ reducedMotion: true, ...options });
    for (const states of [STATES, REFUSED_STATES]) {
      await page.goto(site.url);
      for (const [state, reach] of Object.entries(states)) {
        await reach(inCall(page), page);
        // A picture of the silhouette would be of a moment.
        if (states === STATES) await waitUntil(() => page.run(isFaceWorn), 10_000, 50);
        // Halfway through, a backdrop is of a colour that nobody has drawn.
        await page.run(untilStill);
        await take(`call-${view}-${state}`, await page.screenshot());
      }
    }
    await page.close();
  }
}
