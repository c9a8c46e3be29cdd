import { openBrowser } from "./browsers/browser.ts";
import type { Browser, Page, PageOptions } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { focused, keyboardOn, overflowIn, violationsIn } from "./everyone/audit.ts";
import { reachTrouble, STATES } from "./everyone/states.ts";
import { talkByKeyboard } from "./everyone/talk-by-keyboard.ts";
import { TALKING_STATES } from "./everyone/talking-states.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { addVoiceProcess } from "./voice/voice-product.ts";

/** How people see the call. */
const VIEWS: [name: string, options: PageOptions, path: string][] = [
  ["desktop", {}, "/"],
  ["desktop, dark", { dark: true }, "/"],
  ["320 px", { width: 320, height: 640 }, "/"],
  ["200 % zoom", { width: 640, height: 400, scale: 2 }, "/"],
  ["forced colours, reduced motion", { forcedColors: true, reducedMotion: true }, "/"],
  ["a page from right to left", {}, "/rtl"],
];

export default defineProof({
  covers: [],
  claims: {
    "everyone-can-call": {
      promise:
        "Everyone can call, talking or typing: by keyboard, with a screen reader, enlarged, on the smallest phone",
      bound:
        "0 violations of axe-core, nothing sticks out, every action by keyboard, a planted fault is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const product = await openWholeProduct(onEnd);
        const openSite = async (url: string): Promise<string> => {
          const html = pageWith(url, product.agentId);
          const rtl = html.replace('<html lang="en">', '<html lang="ar" dir="rtl">');
          const opened = await openCustomerSite({ "/": html, "/rtl": rtl });
          onEnd(() => opened.close());
          return opened.url;
        };
        const site = { url: await openSite(product.server.url) };
        const switches = ["--use-fake-device-for-media-stream"];
        const browser = await openBrowser("chromium", { switches });
        onEnd(() => browser.close());
        const faults: string[] = [];
        let looked = 0;

        async function look(states: typeof STATES, url: string): Promise<void> {
          for (const [name, options, path] of VIEWS) {
            const page = await browser.newPage(options);
            await page.goto(url + path);
            const call = inCall(page);
            for (const state of states) {
              await state.reach(call, page);
              for (const fault of await faultsIn(page))
                faults.push(`${name}, ${state.name}: ${fault}`);
              looked += 1;
            }
            await page.close();
            say(`${name}: ${states.length} states`);
          }
        }
        await look(STATES, site.url);
        const page = await browser.newPage();
        await page.goto(site.url);
        await reachTrouble(inCall(page), page);
        for (const fault of await violationsIn(page)) faults.push(`trouble: ${fault}`);
        await page.run(
          'document.querySelector("h1").insertAdjacentHTML("afterend", "<img src=data:, width=50 height=50>");',
        );
        const planted = (await violationsIn(page)).length;
        say(`control: a picture without words is seen ${planted} times`);
        await page.close();

        faults.push(...(await byKeyboard(browser, site.url)));

        // From now on every page offers to talk.
        const voice = await addVoiceProcess(onEnd, product, { ears: "scripted", voice: "tone" });
        const talkingSite = await openSite(voice.server.url);
        await look(TALKING_STATES, talkingSite);
        faults.push(...(await talkByKeyboard(browser, talkingSite)));
        for (const fault of faults.slice(0, 12)) say(fault);
        return {
          figure: `${faults.length} faults in ${looked + 1} states and two calls by keyboard`,
          ok: faults.length === 0 && planted > 0,
          engines: [browser.version],
        };
      },
    },
  },
});

async function faultsIn(page: Page): Promise<string[]> {
  return [...(await violationsIn(page)), ...(await overflowIn(page, "call"))];
}

/** A whole call without a pointer. */
async function byKeyboard(browser: Browser, url: string): Promise<string[]> {
  const faults: string[] = [];
  const page = await browser.newPage();
  await page.goto(url);
  const call = inCall(page);
  const { expectFocus, pressOn } = keyboardOn(page, faults);
  await pressOn("Talk to an agent");
  await call.see("button", "Start by typing");
  await expectFocus("Start by typing", "notice");
  await page.press("Enter");
  await call.see("li.assistant");
  await expectFocus("Your message", "conversation");
  await call.see(".replies button");
  const [reply = ""] = await call.texts(".replies button");
  for (let steps = 0; steps < 25 && (await focused(page)) !== reply; steps++)
    await page.press("Shift+Tab");
  await page.press("Enter");
  await call.see("li.user", reply);
  await call.see(".state", "Your turn");
  await expectFocus("Your message", "after a quick reply");
  await page.type("Please send me something by email.");
  await page.press("Enter");
  await call.see("form.card");
  for (let steps = 0; steps < 25 && !(await focused(page)).includes("Email address"); steps++)
    await page.press("Shift+Tab");
  await page.type("dana@example.com");
  await page.press("Enter");
  await call.see("li.note", "dana@example.com");
  await call.see(".state", "Your turn");
  const announced = await page.run<string>(
    'for (const host of document.body.children) { const found = host.shadowRoot?.querySelector("[aria-live=polite]"); if (found) return found.textContent; }',
  );
  const last = (await call.texts("li.assistant .said")).at(-1);
  if (announced !== last) faults.push("the last turn was not announced");
  await page.press("Escape");
  await call.see("dialog.docked");
  await pressOn("Make it large");
  await pressOn("End");
  await call.see("h2", "Thank you");
  await pressOn("5 of 5");
  await pressOn("Close");
  await call.gone("dialog");
  await expectFocus("Talk to an agent", "after the call");
  await page.close();
  return faults;
}
