import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "./browsers/browser.ts";
import type { Page } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import type { InCall } from "./browsers/in-call.ts";
import { openLine } from "./keeps-going/cuttable-line.ts";
import { talkOn } from "./keeps-going/talk-on.ts";
import { awaitWebhook } from "./product/await-webhook.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { untilLoaded } from "./product/until-loaded.ts";
import { defineProof } from "./runner/proof.ts";
import { openVoiceProduct } from "./voice/voice-product.ts";

/** One visitor in a tab, and what is done to it. */
interface Tab {
  name: string;
  page: Page;
  call: InCall;
  sessionId: string;
  trouble?: string;
}

const SHORT_CUT_MS = 5_000;
const LONG_CUT_MS = 30_000;
const FROZEN_MS = 12_000;

// V2, V4
export default defineProof({
  covers: [],
  claims: {
    "call-keeps-going": {
      promise:
        "A call goes on, by voice and in text, after a network loss of 5 and of 30 seconds, a reload, a navigation and a frozen tab, with its transcript whole; a second tab is told",
      bound: "0 calls lost, 0 transcripts with a gap, the second tab is told",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const line = await openLine();
        onEnd(() => line.close());
        const product = await openVoiceProduct(onEnd, {}, { SVC_PUBLIC_URL: line.url });
        line.leadTo(product.server.url);
        const html = pageWith(line.url, product.agentId, '<a id="on" href="/next">Next page</a>');
        const faults: string[] = [];

        const talked = talkOn(onEnd, product, say);

        // Each tab is a browser of its own: one browser has one call.
        const tabs: Tab[] = [];
        for (const name of ["stays", "reloads", "navigates", "freezes"]) {
          const site = await openCustomerSite({ "/": html, "/next": html });
          onEnd(() => site.close());
          const browser = await openBrowser("chromium");
          onEnd(() => browser.close());
          const page = await browser.newPage();
          await page.goto(site.url);
          const call = inCall(page);
          await untilLoaded(page);
          await page.run(
            'Svc.on("started", ({ sessionId }) => sessionStorage.setItem("id", sessionId)); return true;',
          );
          await call.click("#start");
          await call.click("dialog button", "Type");
          await call.see("li.assistant", "", 15_000);
          const sessionId = await page.run<string>('return sessionStorage.getItem("id");');
          tabs.push({ name, page, call, sessionId });
          if (name === "stays") {
            const second = await browser.newPage();
            await second.goto(site.url);
            const other = inCall(second);
            await other.click("#start");
            await other.click("dialog button", "Type");
            await other
              .see("p", "another tab", 5_000)
              .then(() => say("a second tab is told that the first has a call"))
              .catch(() => faults.push("the second tab was not told"));
            await second.close();
          }
        }
        const sayInAll = (text: string): Promise<unknown> =>
          Promise.all(tabs.map((tab) => speak(tab, text)));

        await sayInAll("What is it good for?");
        line.cut("silent");
        await delay(SHORT_CUT_MS);
        line.mend();
        await sayInAll("And after five seconds without a network?");
        say(
          `${healthy(tabs)} of ${tabs.length} go on after ${SHORT_CUT_MS / 1_000} s without a network`,
        );

        const [, reloads, navigates, freezes] = tabs as [Tab, Tab, Tab, Tab];
        await setFrozen(freezes.page, true);
        await reloads.page.reload();
        await navigates.page.run('document.getElementById("on").click();');
        await delay(FROZEN_MS);
        await setFrozen(freezes.page, false);
        await sayInAll("And after that?");
        say(
          `${healthy(tabs)} of ${tabs.length} go on after a reload, a navigation and ${FROZEN_MS / 1_000} s frozen`,
        );

        line.cut("refused");
        await delay(LONG_CUT_MS);
        line.mend();
        await sayInAll("And after half a minute?");
        say(
          `${healthy(tabs)} of ${tabs.length} go on after ${LONG_CUT_MS / 1_000} s without a network`,
        );

        for (const { name, trouble } of tabs) if (trouble) faults.push(`${name}: ${trouble}`);
        for (const tab of tabs.filter(({ trouble }) => trouble === undefined)) {
          const shown = await tab.call.texts("li.user .said, li.assistant .said");
          await tab.call.click("button.end");
          const { data } = await awaitWebhook(product, tab.sessionId);
          const written = (data.transcript ?? []).map(({ content }) => content);
          const isWhole =
            shown.map((text) => text.replace(/ —$/, "")).join("\n") === written.join("\n");
          if (!isWhole) faults.push(`${tab.name}: the transcript is not what was on the screen`);
          const asked = written.filter((text) => text.startsWith("And after")).length;
          if (asked !== 3) faults.push(`${tab.name}: ${asked} of 3 questions in the transcript`);
        }
        faults.push(...(await talked));
        for (const fault of faults) say(fault);
        return {
          figure: `${faults.length} faults in ${tabs.length + 1} calls`,
          ok: faults.length === 0,
        };
      },
    },
  },
});

/** As a browser does to a tab that nobody looks at. */
async function setFrozen(page: Page, isFrozen: boolean): Promise<void> {
  await page.devtools("Page.setWebLifecycleState", { state: isFrozen ? "frozen" : "active" });
}

/** Says something and waits for the answer; what fails is remembered. */
async function speak(tab: Tab, text: string): Promise<void> {
  if (tab.trouble !== undefined) return;
  try {
    await tab.call.see(".state", "Your turn", 20_000);
    const before = (await tab.call.texts("li.assistant")).length;
    await tab.call.say(text);
    for (let tries = 0; (await tab.call.texts("li.assistant")).length <= before; tries++) {
      if (tries > 400) throw new Error("no answer");
      await delay(50);
    }
    await tab.call.see(".state", "Your turn", 20_000);
  } catch (error) {
    tab.trouble = `"${text}": ${String(error)}`;
  }
}

function healthy(tabs: Tab[]): number {
  return tabs.filter(({ trouble }) => trouble === undefined).length;
}
