import { setTimeout as delay } from "node:timers/promises";
import { ENGINES } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import { callInPage } from "../browsers/call-in-page.ts";
import { inCall } from "../browsers/in-call.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import type { Claim } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";

const BACK_WITHIN_MS = 1_500;
const PATIENCE_MS = 30_000;
const WAYS = ["link", "back", "forward", "reload"] as const;
type Way = (typeof WAYS)[number];

export const callFollowsTheVisitor: Claim<PageStage> = {
  promise:
    "A call in text follows its visitor to the next page, back, forward and through a reload: the same session, nothing lost, and it listens again at once",
  bound: `0 lost, p95 ≤ ${BACK_WITHIN_MS} ms after the page has loaded; a page that forgets its call is noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ sized, say, onEnd, timeLeftMs, progress }, stage) {
    const rounds = sized({ quick: 1, full: 5 });
    const { url, agentId } = await stage.showing();
    const html = pageWith(url, agentId, '<a id="on" href="/next">Next</a>', WATCH);
    const backMs: number[] = [];
    const faults: string[] = [];
    let controls = 0;

    async function follow(browser: Browser): Promise<void> {
      const site = await stage.openSite(onEnd, { "/": html, "/next": html });
      const page = await browser.newPage();
      await page.goto(site);
      await untilLoaded(page);
      const call = inCall(page);
      await call.click("#start");
      await call.click("dialog button.primary");
      await call.see("li.assistant");
      let heard = 1;
      const id = await sessionIn(page);
      for (const way of Array.from({ length: rounds }, () => WAYS).flat()) {
        if (timeLeftMs() === 0) return;
        await call.ask(`Number ${heard}.`);
        heard += 1;
        const ms = await change(page, way);
        const said = (await call.texts("li.user .said")).length;
        backMs.push(ms);
        const isWhole = said === heard - 1 && (await sessionIn(page)) === id;
        if (!isWhole || !Number.isFinite(ms))
          faults.push(`${browser.engine}, ${way}: ${said} of ${heard - 1} turns after ${ms} ms`);
        progress(backMs.length, rounds * WAYS.length * ENGINES.length, "page changes");
      }
      await page.run(() => {
        Object.assign(Storage.prototype, { setItem: () => {} });
        sessionStorage.clear();
      });
      if (!Number.isFinite(await change(page, "reload", 3_000))) controls += 1;
      await page.close();
    }
    const browsers = await Promise.all(ENGINES.map((engine) => stage.browser(engine)));
    await Promise.all(
      browsers.map((browser) =>
        follow(browser).catch((error) => faults.push(`${browser.engine}: ${String(error)}`)),
      ),
    );
    for (const fault of faults) say(fault);
    const sorted = backMs.toSorted((one, other) => one - other);
    const p95 = Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? Infinity);
    const wanted = rounds * WAYS.length * ENGINES.length;
    return {
      figure: `${faults.length} lost in ${backMs.length} page changes, p95 ${p95} ms; ${controls} of ${ENGINES.length} pages without storage forget it`,
      ok:
        faults.length === 0 &&
        backMs.length === wanted &&
        p95 <= BACK_WITHIN_MS &&
        controls === ENGINES.length,
      engines: browsers.map(({ version }) => version),
      size: `${backMs.length} page changes`,
    };
  },
};

/** Returns how long after the page's load the call was there; infinity where it never was. */
async function change(page: Page, way: Way, withinMs = PATIENCE_MS): Promise<number> {
  await page.run(() => Object.assign(window, { isOld: true }));
  if (way === "reload") await page.reload();
  else await page.run(leave, way).catch(() => {});
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
    backMs?: number;
    isOld?: boolean;
  }
}

function leave(way: Way): void {
  if (way === "link") document.getElementById("on")!.click();
  else if (way === "back") history.back();
  else history.forward();
}

function backAfter(): number | null {
  return window.isOld ? null : (window.backMs ?? null);
}

function watchForCall(): void {
  const watch = (): void => {
    const loadedMs = performance.now();
    window.isOld = false;
    const timer = setInterval(() => {
      const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
      const talk = roots.map((root) => root?.querySelector(".talk")).find(Boolean);
      if (talk?.getAttribute("data-state") !== "listening" || talk.matches(".lost")) return;
      window.backMs = performance.now() - loadedMs;
      clearInterval(timer);
    }, 20);
  };
  // Also for a page that the browser has kept.
  addEventListener("pageshow", watch);
}

const WATCH = `<script>${callInPage(watchForCall, [])}</script>`;
