import { openBrowser } from "./browsers/browser.ts";
import type { Browser, PageOptions } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { focused, keyboardOn, overflowIn, violationsIn } from "./everyone/audit.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { untilLoaded } from "./product/until-loaded.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

const VIEWS: [name: string, options: PageOptions, path: string][] = [
  ["desktop", {}, "/"],
  ["dark", { dark: true }, "/"],
  ["320 px", { width: 320, height: 640 }, "/"],
  ["200 % zoom", { width: 640, height: 400, scale: 2 }, "/"],
  ["forced colours, reduced motion", { forcedColors: true, reducedMotion: true }, "/"],
  ["a page from right to left", {}, "/rtl"],
];

const STATES: [name: string, reach: string][] = [
  ["widget", "Svc.widget.show();"],
  ["collapsed widget", "Svc.widget.collapse();"],
  [
    "widget with a form",
    'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.expand(); Svc.widget.show();',
  ],
  [
    "its error",
    '[...document.body.children].find((one) => one.shadowRoot).shadowRoot.querySelector("form").requestSubmit();',
  ],
  ["hero", 'Svc.widget.hide(); Svc.hero.mount(document.getElementById("place"));'],
  [
    "hero with a form",
    'Svc.hero.mount(document.getElementById("place"), { collectData: { dataKey: "email", formTitle: "See it live" } });',
  ],
  ["its error", 'document.querySelector(".svc-hero-form").requestSubmit();'],
];

export default defineProof({
  covers: [],
  claims: {
    "everyone-can-use-it": {
      promise:
        "Everyone can use widget and hero: by keyboard, with a screen reader, enlarged, on the smallest phone",
      bound: "0 violations of axe-core, nothing sticks out, every action by keyboard",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const product = await openWholeProduct(onEnd);
        const place = '<div id="place" style="max-width:280px;height:320px"></div>';
        const html = pageWith(product.server.url, product.agentId, place);
        const site = await openCustomerSite({
          "/": html,
          "/rtl": html.replace('<html lang="en">', '<html lang="ar" dir="rtl">'),
        });
        onEnd(() => site.close());
        const browser = await openBrowser("chromium");
        onEnd(() => browser.close());
        const faults: string[] = [];
        let looked = 0;
        for (const [name, options, path] of VIEWS) {
          const page = await browser.newPage(options);
          await page.goto(site.url + path);
          await untilLoaded(page);
          for (const [state, reach] of STATES) {
            await page.run(
              `${reach} return new Promise((resolve) => setTimeout(() => resolve(true), 300));`,
            );
            const found = [...(await violationsIn(page)), ...(await overflowIn(page, "page"))];
            for (const fault of found) faults.push(`${name}, ${state}: ${fault}`);
            looked += 1;
          }
          await page.run("localStorage.clear(); return true;");
          await page.close();
        }
        faults.push(...(await byKeyboard(browser, site.url)));
        for (const fault of faults.slice(0, 12)) say(fault);
        return {
          figure: `${faults.length} faults in ${looked} states and by keyboard`,
          ok: faults.length === 0,
          engines: [browser.version],
        };
      },
    },
  },
});

async function byKeyboard(browser: Browser, url: string): Promise<string[]> {
  const faults: string[] = [];
  const page = await browser.newPage();
  await page.goto(url);
  await untilLoaded(page);
  const call = inCall(page);
  const { pressOn } = keyboardOn(page, faults);
  await page.run('Svc.widget.configure({ ctaText: "Ask us" }); Svc.widget.show(); return true;');
  await pressOn("Make it small");
  await call.see(".pill");
  if (!(await focused(page)).includes("Ask us")) faults.push("the focus is lost when it collapses");
  await page.press("Enter");
  await call.see(".card");
  await page.press("Escape");
  await call.see(".pill");
  await page.press("Enter");
  await pressOn("Ask us");
  await call.see("button", "Start by typing");
  await page.press("Escape");
  await call.gone("dialog");
  if ((await focused(page)) === "") faults.push("the focus does not come back to the widget");

  await page.run(
    'Svc.widget.hide(); Svc.hero.mount(document.getElementById("place"), { collectData: { dataKey: "team", placeholder: "Your team" } }); document.activeElement?.blur(); return true;',
  );
  await pressOn("Your team");
  await call.see(".svc-hero-error", "fill this in");
  await page.type("Sales");
  await page.press("Enter");
  await call.see("button", "Start by typing");
  await page.close();
  return faults;
}
