import { setTimeout as delay } from "node:timers/promises";
import { ENGINES, openBrowser } from "../browsers/browser.ts";
import type { Browser, Engine, Page } from "../browsers/browser.ts";
import { callInPage } from "../browsers/call-in-page.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { writeWav } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";

const BACK_WITHIN_MS = 1_500;
const PATIENCE_MS = 30_000;
const FORGETS_WITHIN_MS = 3_000;
const WAYS = ["link", "back", "forward", "reload"] as const;
type Way = (typeof WAYS)[number];
/** `asked`: by voice, where the next page would have to ask for the microphone. Only Chromium can be told. */
type Mode = "text" | "voice" | "asked";
const CALLS: [Engine, Mode][] = [
  ...ENGINES.flatMap((engine): [Engine, Mode][] => [
    [engine, "text"],
    [engine, "voice"],
  ]),
  ["chromium", "asked"],
];

/** What became of all calls. */
interface Sum {
  backMs: number[];
  faults: string[];
  /** Calls that went on by voice unasked, and those whose one button said that sound needs a tap, by engine. */
  unasked: Map<Engine, number>;
  tapped: Map<Engine, number>;
  forgotten: number;
}

export const callFollowsTheVisitor: Claim<PageStage> = {
  promise:
    "A call by voice or in text follows its visitor to the next page, back, forward and through a reload: the same session, nothing lost, words on their way included, and it listens again at once; where sound needs a tap, one button says so",
  bound: `0 lost, p95 ≤ ${BACK_WITHIN_MS} ms after the page has loaded; by voice unasked where the microphone is allowed for good, and else by one button; a page that forgets its call is noticed`,
  timeLimitSecs: { quick: 300, full: 2_700 },
  tier: "nightly",
  async prove(tools, stage) {
    const { sized, say, onEnd } = tools;
    const rounds = sized({ quick: 1, full: 2 });
    const wanted = rounds * WAYS.length * CALLS.length;
    const sum: Sum = {
      backMs: [],
      faults: [],
      unasked: new Map(),
      tapped: new Map(),
      forgotten: 0,
    };
    const engines: string[] = [];
    // One after the other: they would take each other's time.
    for (const [engine, mode] of CALLS) {
      const isTyped = mode === "text";
      const browser = await (isTyped
        ? stage.browser(engine)
        : openBrowser(engine, { microphone: writeWav(onEnd, new Int16Array(16_000)) }));
      await follow(tools, stage, browser, mode, rounds, sum).catch((error) =>
        sum.faults.push(`${engine}, ${mode}: ${String(error)}`),
      );
      tools.progress(sum.backMs.length, wanted, "page changes");
      if (isTyped) engines.push(browser.version);
      else await browser.close();
    }
    for (const fault of sum.faults) say(fault);
    const told = (counts: Map<Engine, number>): string =>
      ENGINES.map((engine) => `${counts.get(engine) ?? 0} in ${engine}`).join(", ");
    say(`by voice unasked: ${told(sum.unasked)}; by a tap: ${told(sum.tapped)}`);
    const p95 = Math.round(quantile(sum.backMs, 0.95));
    return {
      figure: `${sum.faults.length} lost in ${sum.backMs.length} page changes, p95 ${p95} ms; ${sum.forgotten} of ${CALLS.length} pages without storage forget it`,
      ok:
        sum.faults.length === 0 &&
        sum.backMs.length === wanted &&
        p95 <= BACK_WITHIN_MS &&
        sum.unasked.get("chromium") === rounds * WAYS.length &&
        ENGINES.every((engine) => (sum.tapped.get(engine) ?? 0) > 0) &&
        sum.forgotten === CALLS.length,
      engines,
      size: `${sum.backMs.length} page changes`,
    };
  },
};

async function follow(
  { onEnd, timeLeftMs }: Tools,
  stage: PageStage,
  browser: Browser,
  mode: Mode,
  rounds: number,
  sum: Sum,
): Promise<void> {
  const { engine } = browser;
  const { url, agentId, talkingAgentId } = await stage.showing();
  const agent = mode === "text" ? agentId : talkingAgentId;
  const watch = `<script>${callInPage(watchForCall, [mode === "text"])}</script>`;
  const html = pageWith(url, agent, '<a id="on" href="/next">Next</a>', watch);
  const site = await stage.openSite(onEnd, { "/": html, "/next": html });
  const page = await browser.newPage();
  if (engine === "chromium") await allowMicrophone(page, mode === "asked" ? "prompt" : "granted");
  await page.goto(site);
  await untilLoaded(page);
  const call = inCall(page);
  await call.click("#start");
  await call.click("dialog button.primary", mode === "text" ? "" : "Talk");
  await call.see("li.assistant:not(.partial)");
  const said: string[] = [];
  const id = await sessionIn(page);
  const check = async (way: string): Promise<void> => {
    const texts = await call.texts("li.user .said");
    if (texts.join() !== said.join() || (await sessionIn(page)) !== id)
      sum.faults.push(`${engine}, ${mode}, ${way}: ${texts.join()}, not ${said.join()}`);
  };
  for (const way of Array.from({ length: rounds }, () => WAYS).flat()) {
    if (timeLeftMs() === 0) return;
    said.push(`Number ${said.length + 1}.`);
    await answered(call, () => call.say(said.at(-1)!));
    const ms = await change(page, way);
    if (Number.isFinite(ms)) sum.backMs.push(ms);
    else sum.faults.push(`${engine}, ${mode}, ${way}: ${await call.lastSeen()}`);
    await check(way);
    if (mode !== "text") await talkAgain(page, call, engine, sum);
  }
  // Words that the visitor sends and leaves at once are on the next page, once, and answered there.
  said.push("And now?");
  await answered(call, async () => void (await change(page, "link", said.at(-1))));
  await check("words on their way");
  await page.run(() => {
    Object.assign(Storage.prototype, { setItem: () => {} });
    sessionStorage.clear();
  });
  if (!Number.isFinite(await change(page, "reload", undefined, FORGETS_WITHIN_MS)))
    sum.forgotten += 1;
  await page.close();
}

/** By voice unasked, or by the one button that says it. */
async function talkAgain(page: Page, call: InCall, engine: Engine, sum: Sum): Promise<void> {
  const isTalking = (): Promise<boolean> =>
    page.run(() => window.talkOf()?.getAttribute("data-voice") === "open").catch(() => false);
  const buttons = (): Promise<string[]> => call.texts("button.tap");
  await waitUntil(async () => (await isTalking()) || (await buttons()).length > 0, PATIENCE_MS, 50);
  if (await isTalking()) {
    sum.unasked.set(engine, (sum.unasked.get(engine) ?? 0) + 1);
    return;
  }
  const shown = await buttons();
  if (shown.join() !== "Go on by voice") sum.faults.push(`${engine}: buttons ${shown.join()}`);
  await call.click("button.tap");
  if (!(await waitUntil(isTalking, PATIENCE_MS, 50)) || (await buttons()).length > 0)
    sum.faults.push(`${engine}: the tap does not go on by voice`);
  sum.tapped.set(engine, (sum.tapped.get(engine) ?? 0) + 1);
}

function allowMicrophone(page: Page, setting: "granted" | "prompt"): Promise<void> {
  return page.devtools("Browser.setPermission", { permission: { name: "microphone" }, setting });
}

/** Until the agent has answered and it is the visitor's turn. */
async function answered(call: InCall, act: () => Promise<void>): Promise<void> {
  const turns = (): Promise<string[]> => call.texts("li.assistant:not(.partial)");
  const before = (await turns()).length;
  await act();
  const isOver = async (): Promise<boolean> =>
    (await turns().catch(() => [])).length > before &&
    /Your turn|Listening/.test((await call.texts(".state"))[0] ?? "");
  if (!(await waitUntil(isOver, PATIENCE_MS, 50)))
    throw new Error(`no answer: ${await call.lastSeen()}`);
}

/**
 * Returns how long after the page's load the call was there; infinity where it never was.
 * @param words What the visitor sends just before.
 */
async function change(
  page: Page,
  way: Way,
  words?: string,
  withinMs = PATIENCE_MS,
): Promise<number> {
  await page.run(() => void (window.isOld = true));
  if (way === "reload") await page.reload();
  else await page.run(leave, way, words ?? "").catch(() => {});
  await delay(200);
  let ms = Infinity;
  await waitUntil(
    async () => {
      ms = (await page.run(backAfter).catch(() => undefined)) ?? Infinity;
      return Number.isFinite(ms);
    },
    withinMs,
    100,
  );
  return ms;
}

function sessionIn(page: Page): Promise<string | undefined> {
  return page.run(
    () =>
      (JSON.parse(sessionStorage.getItem("svc-call") ?? "{}") as { sessionId?: string }).sessionId,
  );
}

// What follows runs in the page.

declare global {
  interface Window {
    backMs?: number | undefined;
    isOld?: boolean;
    talkOf: () => Element | undefined;
  }
}

/** Once this has returned: WebKit's driver waits in vain for what a page that is gone returns. */
function leave(way: Way, words: string): void {
  setTimeout(() => {
    const field = words && window.talkOf()?.querySelector("textarea");
    if (field) {
      field.value = words;
      field.form!.requestSubmit();
    }
    if (way === "link") document.getElementById("on")!.click();
    else if (way === "back") history.back();
    else history.forward();
  });
}

function backAfter(): number | null {
  return window.isOld ? null : (window.backMs ?? null);
}

function watchForCall(isTyped: boolean): void {
  window.talkOf = () =>
    Array.from(document.body.children, ({ shadowRoot }) => shadowRoot)
      .map((root) => root?.querySelector(".talk"))
      .find(Boolean) ?? undefined;
  const watch = (): void => {
    const loadedMs = performance.now();
    window.isOld = false;
    window.backMs = undefined;
    const timer = setInterval(() => {
      const talk = window.talkOf();
      if (!/listening|thinking|speaking/.test(talk?.getAttribute("data-state") ?? "")) return;
      if (talk!.matches(".lost")) return;
      if (!isTyped && !talk!.matches("[data-voice=open], :has(.tap)")) return;
      window.backMs = performance.now() - loadedMs;
      clearInterval(timer);
    }, 20);
  };
  // Also for a page that the browser has kept.
  addEventListener("pageshow", watch);
}
