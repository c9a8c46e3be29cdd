import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./browsers/browser.ts";
import { PERSONAS } from "./faces/face-site.ts";
import { drawSheet, openStillFaces, SHEET } from "./faces/still-faces.ts";
import { difference, sketch } from "./pictures/compare.ts";
import type { Sketch } from "./pictures/compare.ts";
import { compareWithReferences } from "./pictures/references.ts";
import { defineProof } from "./runner/proof.ts";

/** There are no letters in them: hardly a point may be another. */
const MOST_DIFFERENT = 0.005;
const REFERENCES = join(import.meta.dirname, "faces/references.json.gz");

export default defineProof({
  covers: [],
  claims: {
    "faces-stay-put": {
      promise:
        "Every face looks as it was drawn: each persona, each state, three moments of speech, small and large, light and dark",
      bound: `at most ${MOST_DIFFERENT * 100} % of a picture differ, a mouth that does not move is noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const write = process.argv.includes("--write");
        const folder = process.argv.find((word) => word.startsWith("--to="))?.slice(5);
        const site = await openStillFaces();
        onEnd(() => site.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const table = await browser.newPage();
        const page = await browser.newPage(SHEET);
        await page.goto(site.url);
        const drawn = new Map<string, Sketch>();
        for (const persona of ["neutral", ...PERSONAS]) {
          for (const dark of [false, true]) {
            const name = `${persona}-${dark ? "dark" : "light"}`;
            const png = await drawSheet(page, persona, dark);
            if (folder !== undefined) await writeFile(join(folder, `${name}.png`), png);
            drawn.set(name, await sketch(table, png));
          }
        }
        const { wrong, most } = await compareWithReferences(drawn, REFERENCES, { write, say });
        const mute = await sketch(table, await drawSheet(page, "linden", false, true));
        const planted = difference(drawn.get("linden-light")!, mute);
        say(`control: with their mouths shut ${(planted * 100).toFixed(1)} % differ`);
        return {
          figure: `${wrong} of ${drawn.size} sheets differ, at most ${(most * 100).toFixed(1)} %`,
          ok: wrong === 0 && most <= MOST_DIFFERENT && planted > MOST_DIFFERENT,
          engines: [browser.version],
        };
      },
    },
  },
});
