import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { openLine } from "./browser-voice/cuttable-line.ts";
import { HeadsetVisitor, openTalkingBrowser } from "./browser-voice/talking-browser.ts";
import { openTalkingSite, sessionOf } from "./browser-voice/talking-site.ts";
import { openBrowser } from "./browsers/browser.ts";
import type { Browser, Page } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import type { InCall } from "./browsers/in-call.ts";
import { awaitWebhook } from "./product/await-webhook.ts";
import { openCustomerSite, pageWith, untilLoaded } from "./product/customer-site.ts";
import type { WholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";
import { asSeen } from "./talk/visitor.ts";
import { addVoiceProcess, openVoiceProduct } from "./voice/voice-product.ts";
import type { VoiceProduct } from "./voice/voice-product.ts";

/** One visitor who types in a browser, and what went wrong. */
interface Tab {
  name: string;
  browser: Browser;
  page: Page;
  call: InCall;
  sessionId: string;
  trouble?: string;
}

const SHORT_CUT_MS = 5_000;
const LONG_CUT_MS = 30_000;
const FROZEN_MS = 12_000;
const BACK_WITHIN_MS = 30_000;
/** How much of an answer is heard before it breaks off. */
const HEARD_MS = 700;
const FIRST = "What is it good for?";
const AFTER_CUT = "And after five seconds without a network?";
const AFTER_RELOAD = "And after a reload?";
const AFTER_DEATH = "And after its process died?";
/** A folder for pictures of what the visitor sees when their process dies; none are kept unless it is set. */
const PICTURES = process.env["SVC_DEATH_PICTURES"];
const TYPED = [FIRST, AFTER_CUT, "And after that?", "And after half a minute?"] as const;

// V2, V4, K2
export default defineProof({
  covers: ["sdk/src/", "server/src/conversation/", "server/src/live/", "server/src/sessions/"],
  claims: {
    "call-keeps-going": {
      promise:
        "A call goes on, by voice and in text, after a network loss of 5 and of 30 seconds, a reload, a navigation, a frozen tab and the death of its process, with its transcript whole; a second tab is told",
      bound: "0 calls lost, 0 transcripts with a gap, the second tab is told",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async (tools) => {
        const { say, onEnd } = tools;
        const line = await openLine();
        onEnd(() => line.close());
        const product = await openVoiceProduct(onEnd, {}, { SVC_PUBLIC_URL: line.url });
        line.leadTo(product.server.url);
        const talked = talkOn(tools, product);
        talked.catch(() => {});

        const tabs: Tab[] = [];
        for (const name of ["stays", "reloads", "navigates", "freezes"]) {
          tabs.push(await openTab(onEnd, name, pageOf(line.url, product.agentId)));
        }
        const [stays, reloads, navigates, freezes] = tabs as [Tab, Tab, Tab, Tab];
        const faults = (await isSecondTabTold(stays)) ? [] : ["the second tab was not told"];
        const askInAll = async (text: string, after: string): Promise<void> => {
          await Promise.all(tabs.map((tab) => ask(tab, text)));
          const healthy = tabs.filter(({ trouble }) => trouble === undefined).length;
          say(`${healthy} of ${tabs.length} go on after ${after}`);
        };

        await askInAll(TYPED[0], "their start");
        line.cut("silent");
        await delay(SHORT_CUT_MS);
        line.restore();
        await askInAll(TYPED[1], `${SHORT_CUT_MS / 1_000} s without a network`);

        await setFrozen(freezes.page, true);
        await reloads.page.reload();
        await navigates.page.run(() => document.getElementById("on")!.click());
        await delay(FROZEN_MS);
        await setFrozen(freezes.page, false);
        await askInAll(TYPED[2], `a reload, a navigation and ${FROZEN_MS / 1_000} s frozen`);

        line.cut("refused");
        await delay(LONG_CUT_MS);
        line.restore();
        await askInAll(TYPED[3], `${LONG_CUT_MS / 1_000} s without a network`);

        const spoken = await talked;
        const records = [spoken, ...(await Promise.all(tabs.map((tab) => endInTab(product, tab))))];
        for (const record of records) faults.push(...judgeRecord(record));
        const planted = { ...spoken, written: spoken.written.toSpliced(1, 1) };
        const isNoticed = judgeRecord(planted).length > 0;
        say(`control: a transcript without one turn is ${isNoticed ? "" : "not "}noticed`);
        for (const fault of faults) say(fault);
        return {
          figure: `${faults.length} faults in ${tabs.length + 1} calls`,
          ok: faults.length === 0 && isNoticed,
        };
      },
    },
  },
});

function pageOf(sdkUrl: string, agentId: string): Record<string, string> {
  const html = pageWith(sdkUrl, agentId, '<a id="on" href="/next">Next page</a>');
  return { "/": html, "/next": html };
}

/** A site and a browser for each: a browser has one call at a time. */
async function openTab(
  onEnd: Tools["onEnd"],
  name: string,
  pages: Record<string, string>,
): Promise<Tab> {
  const site = await openCustomerSite(pages);
  onEnd(() => site.close());
  const browser = await openBrowser("chromium");
  onEnd(() => browser.close());
  const page = await browser.newPage();
  await page.goto(site.url);
  const call = inCall(page);
  await untilLoaded(page);
  await page.run(() =>
    Svc.on("started", ({ sessionId }) => sessionStorage.setItem("id", sessionId)),
  );
  await call.click("#start");
  await call.click("dialog button", "Type");
  await call.see("li.assistant", "", 15_000);
  const sessionId = await page.run(() => sessionStorage.getItem("id")!);
  return { name, browser, page, call, sessionId };
}

async function isSecondTabTold({ browser, page }: Tab): Promise<boolean> {
  const second = await browser.newPage();
  await second.goto(await page.run(() => location.href));
  const call = inCall(second);
  await call.click("#start");
  await call.click("dialog button", "Type");
  const isTold = await call.see("p", "another tab", 5_000).then(
    () => true,
    () => false,
  );
  await second.close();
  return isTold;
}

/** As a browser does to a tab that nobody looks at. */
async function setFrozen(page: Page, isFrozen: boolean): Promise<void> {
  await page.devtools("Page.setWebLifecycleState", { state: isFrozen ? "frozen" : "active" });
}

/** Asks and waits for the answer; what fails is remembered, and the tab is left alone from then on. */
async function ask(tab: Tab, text: string): Promise<void> {
  if (tab.trouble !== undefined) return;
  try {
    await tab.call.see(".state", "Your turn", 20_000);
    await tab.call.ask(text, 20_000);
  } catch (error) {
    tab.trouble = `"${text}": ${String(error)}`;
  }
}

/** What was on the screen of a call, and what its customer got. */
interface CallRecord {
  name: string;
  trouble?: string;
  seen: string[];
  written: string[];
  /** What was said last may have gone on after the last look at the screen. */
  isOpenEnded?: true;
  asked: readonly string[];
}

async function endInTab(product: WholeProduct, tab: Tab): Promise<CallRecord> {
  const { name, call, sessionId, trouble } = tab;
  if (trouble !== undefined) return { name, trouble, seen: [], written: [], asked: [] };
  const seen = await call.texts("li.user .said, li.assistant .said");
  await call.end();
  const { data } = await awaitWebhook(product, sessionId);
  return { name, seen, written: asSeen(data.transcript), asked: TYPED };
}

function judgeRecord(record: CallRecord): string[] {
  const { name, trouble, seen, written, isOpenEnded, asked } = record;
  if (trouble !== undefined) return [`${name}: ${trouble}`];
  const due = isOpenEnded ? written.slice(0, seen.length) : written;
  const isWhole = seen.join("\n") === due.join("\n");
  return [
    ...(isWhole ? [] : [`${name}: seen ${JSON.stringify(seen)}`]),
    ...asked
      .filter((text) => !written.includes(text))
      .map((text) => `${name}: "${text}" is not in the transcript`),
  ];
}

/**
 * By voice, on a line of its own: five seconds without a network, a reload and the death of the process, each in the
 * middle of an answer. Afterwards the agent is heard, and hears.
 */
async function talkOn({ onEnd, say }: Tools, product: WholeProduct): Promise<CallRecord> {
  const line = await openLine();
  onEnd(() => line.close());
  const addProcess = (): Promise<VoiceProduct> =>
    addVoiceProcess(onEnd, product, {}, { SVC_PUBLIC_URL: line.url });
  const voice = await addProcess();
  const heir = await addProcess();
  let { speech } = voice;
  line.leadTo(voice.server.url);
  const server = { ...voice.server, url: line.url };
  const site = await openTalkingSite(onEnd, { ...voice, server });
  const place = await openTalkingBrowser(onEnd);
  const { page, call, headset } = place;
  const visitor = new HeadsetVisitor(place);
  const askAloud = async (text: string): Promise<void> => {
    const { pcm } = await speak(text);
    await call.see("[data-voice=open]:not(.lost)", "", BACK_WITHIN_MS);
    speech.hears([text]);
    await visitor.say(pcm);
    await visitor.listenFor(HEARD_MS);
  };
  const picture = async (name: string): Promise<void> => {
    if (PICTURES !== undefined)
      await writeFile(join(PICTURES, `${name}.png`), await page.screenshot());
  };

  await site.enter(page);
  await call.click("#start");
  await call.click("dialog button", "Talk");
  // A visitor who talks over the agent as soon as the microphone has opened is at times not heard at all.
  await visitor.listen();
  const sessionId = await sessionOf(page);
  await askAloud(FIRST);
  line.cut("silent");
  await delay(SHORT_CUT_MS);
  line.restore();
  await headset.untilLoud(BACK_WITHIN_MS);
  await askAloud(AFTER_CUT);
  say(`by voice it goes on after ${SHORT_CUT_MS / 1_000} s without a network`);
  await page.reload();
  await headset.untilLoud(BACK_WITHIN_MS);
  await visitor.listen();
  await askAloud(AFTER_RELOAD);
  say("by voice it goes on after a reload");

  ({ speech } = heir);
  line.leadTo(heir.server.url);
  process.kill(voice.server.pid, "SIGKILL");
  await picture("process-dies");
  await call.see("[data-voice=open]:not(.lost)", "", BACK_WITHIN_MS);
  await picture("process-taken-over");
  await visitor.listen();
  await picture("process-gone-on");
  await askAloud(AFTER_DEATH);
  say("by voice it goes on after the death of its process");

  const seen = (await visitor.seen()).slice(0, -1);
  await call.end();
  const { data } = await awaitWebhook(product, sessionId);
  const asked = [FIRST, AFTER_CUT, AFTER_RELOAD, AFTER_DEATH];
  return { name: "by voice", seen, written: asSeen(data.transcript), isOpenEnded: true, asked };
}
