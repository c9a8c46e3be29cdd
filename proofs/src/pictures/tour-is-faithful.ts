import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TourFile } from "@svc/contract/types";
import { Random } from "@svc/tools/random";
import { openBrowser } from "../browsers/browser.ts";
import type { Page } from "../browsers/browser.ts";
import { runSvc } from "../pipeline/run-svc.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import type { Claim } from "../runner/proof.ts";

const SIZE = { width: 1_000, height: 700 };
/** Of the picture, which has two for each of the page's. */
const MAX_OFF_PX = 2;

/** What is clicked is magenta and nothing else is; what is personal is green. The page moves it, nests it, or brings it late. */
const APPS: Record<string, { page: (box: string) => string; click: string; mask: string }> = {
  plain: {
    page: (box) => `<p class="who">Ada Lovelace</p><a id="go" style="${box}" href="/">Go</a>`,
    click: "#go",
    mask: ".who",
  },
  shadow: {
    page: (box) => `<my-app></my-app><script>setTimeout(() => {
      document.querySelector("my-app").attachShadow({ mode: "open" }).innerHTML =
        '<style>p { color: #0c0 !important; font-size: 30px; transition: opacity 5s }</style>' +
        '<p style="opacity: 1 !important">Ada Lovelace</p><button style="${box}">Go</button>';
    }, 300)</script>`,
    click: "my-app >>> button",
    mask: "my-app >>> p",
  },
  scrolled: {
    page: (box) => `<header style="position: sticky; top: 0; z-index: 9">
      <input class="who" value="Ada Lovelace"></header><div style="height: 1700px"></div>
      <div style="position: relative; height: 1400px"><b id="go" style="${box}">Go</b></div>`,
    click: "#go",
    mask: ".who",
  },
};

const STYLE = "<style>body { margin: 0 } .who { color: #0c0; font-size: 30px }</style>";

export const tourIsFaithful: Claim<undefined> = {
  promise:
    "A recorded tour shows its pages as they are: what is clicked stands where the tour says, and what is masked is in no picture",
  bound: `every box within ${MAX_OFF_PX} pixels of the picture, 0 masked pixels; without the mask they are there, and a box beside is noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ seed, sized, say, onEnd }) {
    const random = new Random(seed);
    const boxes = Array.from({ length: sized({ quick: 1, full: 10 }) }, () => {
      const [left, top] = [random.integer(20, 700), random.integer(80, 500)];
      return `position: absolute; left: ${left}px; top: ${top}px; width: ${random.integer(20, 250)}px; height: ${random.integer(12, 120)}px; background: #f0f; color: #f0f; border: 0`;
    });
    const browser = await openBrowser("chromium");
    onEnd(() => browser.close());
    const table = await browser.newPage();
    const folder = await mkdtemp(join(tmpdir(), "svc-tours-"));
    onEnd(() => rm(folder, { recursive: true }));

    const looks: (Look & { hasMask: boolean })[] = [];
    for (const box of boxes) {
      for (const [name, { page, click, mask }] of Object.entries(APPS)) {
        const site = await openCustomerSite({ "/": `<!doctype html>${STYLE}${page(box)}` });
        for (const hasMask of [true, false]) {
          const steps = JSON.stringify([{ goto: "/" }, { click }]);
          const masks = JSON.stringify(hasMask ? [mask] : []);
          const what = `url: ${site.url}\nsize: ${JSON.stringify(SIZE)}\nmask: ${masks}\nsteps: ${steps}\n`;
          await writeFile(join(folder, "steps.yaml"), what);
          const tour = join(folder, `${name}-${looks.length}`);
          looks.push({ hasMask, ...(await record(join(folder, "steps.yaml"), tour, table)) });
        }
        await site.close();
      }
    }
    const masked = looks.filter(({ hasMask }) => hasMask);
    const off = Math.max(...looks.map((one) => one.offPx));
    const green = Math.max(...masked.map((one) => one.greenPixels));
    const unmasked = Math.min(...looks.filter((one) => !one.hasMask).map((one) => one.greenPixels));
    const beside = Math.min(...looks.map((one) => one.besidePx));
    say(
      `control: ${unmasked} green pixels or more without the mask; a box beside is ${beside.toFixed(1)} off`,
    );
    return {
      figure: `boxes at most ${off.toFixed(1)} pixels off, ${green} masked pixels, in ${masked.length} tours`,
      ok: off <= MAX_OFF_PX && green === 0 && unmasked > 50 && beside > MAX_OFF_PX,
      size: `${masked.length} tours`,
      engines: [browser.version],
    };
  },
};

interface Look {
  /** How far the hotspot's sides are from what is magenta, at most. */
  offPx: number;
  /** The same for a hotspot that is moved by three pixels. */
  besidePx: number;
  /** In all pictures. */
  greenPixels: number;
}

async function record(steps: string, folder: string, table: Page): Promise<Look> {
  const nowhere = { url: "postgres://localhost/none", exportUrl: "postgres://localhost/none" };
  const printed = await runSvc(nowhere, ["tours", "record", steps, folder, "--json"]);
  const tour = JSON.parse(printed) as TourFile;
  const seen = [];
  for (const { picture } of tour.steps) {
    const png = await readFile(join(folder, picture));
    seen.push(await table.run(coloursIn, png.toString("base64")));
  }
  const { x, y, width, height } = tour.steps[0]!.hotspot!;
  const { size, magenta } = seen[0]!;
  const sides = [
    (x / 100) * size.width,
    (y / 100) * size.height,
    ((x + width) / 100) * size.width,
    ((y + height) / 100) * size.height,
  ];
  const offBy = (shift: number): number =>
    Math.max(...sides.map((side, index) => Math.abs(side + shift - magenta[index]!)));
  const greenPixels = seen.reduce((sum, { green }) => sum + green, 0);
  return { offPx: offBy(0), besidePx: Math.max(offBy(3), offBy(-3)), greenPixels };
}

/** Runs in a page. */
async function coloursIn(png: string): Promise<{
  size: { width: number; height: number };
  magenta: [left: number, top: number, right: number, bottom: number];
  green: number;
}> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d")!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const magenta: [number, number, number, number] = [width, height, 0, 0];
  let green = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (g > r + 40 && g > b + 40) green += 1;
    if (r < 200 || b < 200 || g > 60) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    magenta[0] = Math.min(magenta[0], x);
    magenta[1] = Math.min(magenta[1], y);
    magenta[2] = Math.max(magenta[2], x + 1);
    magenta[3] = Math.max(magenta[3], y + 1);
  }
  return { size: { width, height }, magenta, green };
}
