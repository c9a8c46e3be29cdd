import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import type { Claim } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";

const ROUNDS = 5;
const MOUNTS = 100;
/** The first script of a page, for what is counted there. */
export const WATCH: string = `<script>(${watchPage.toString()})();</script>`;
const PLACE = '<div id="place" style="width:320px;height:360px"></div><p>Below</p>';

declare global {
  interface Window {
    seen: Seen & { frames: number; timers: Set<number> };
    kept: Element[];
  }
}

/** Counted from a page's first script on. */
interface Seen {
  /** Tasks over 50 ms. */
  longTasks: number;
  blockedMs: number;
  layoutShift: number;
}

export const pageStaysFast: Claim<PageStage> = {
  promise:
    "The SDK does not slow a page down: no long task, no shift of its layout, nothing left behind",
  bound:
    "0 long tasks at 4x throttle, blocking not above a blank control, layout shift 0, 100 mounts leak nothing, a planted leak is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove({ say, onEnd }, stage) {
    const { server, agentId } = stage.product;
    const html = pageWith(server.url, agentId, PLACE, WATCH);
    const url = await stage.openSite(onEnd, {
      "/": html,
      "/blank": html.replace(/<script async.*?<\/script>/, ""),
    });
    const browser = await stage.browser("chromium");
    const blank: Seen[] = [];
    const ours: Seen[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      blank.push(await load(browser, `${url}/blank`));
      ours.push(await load(browser, url, mountAll));
    }
    // What the page itself costs is there in every round; what another program costs is not.
    const [without, withSdk] = [atBest(blank), atBest(ours)];
    say(`blank page: ${without.longTasks} long tasks, ${without.blockedMs.toFixed(0)} ms blocked`);
    say(
      `with the SDK: ${withSdk.longTasks} long tasks, ${withSdk.blockedMs.toFixed(0)} ms blocked`,
    );

    const page = await browser.newPage();
    await page.goto(url);
    await untilLoaded(page);
    const leaked = await leakOf(page, mountAndRemove);
    const planted = await leakOf(page, leakOneNode);
    say(`control, a leak of one node each time: ${describe(planted)}`);
    await page.close();
    return {
      figure: `${withSdk.longTasks} long tasks (blank ${without.longTasks}), layout shift ${withSdk.layoutShift}, ${describe(leaked)} after ${MOUNTS} mounts`,
      ok:
        withSdk.longTasks <= without.longTasks &&
        withSdk.blockedMs <= without.blockedMs &&
        withSdk.layoutShift === 0 &&
        leaked.nodes < MOUNTS &&
        leaked.listeners < MOUNTS &&
        leaked.timers === 0 &&
        planted.nodes >= MOUNTS,
      engines: [browser.version],
    };
  },
};

async function load(browser: Browser, url: string, act?: () => void): Promise<Seen> {
  const page = await browser.newPage();
  await page.devtools("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(url);
  if (act !== undefined) {
    await untilLoaded(page);
    await page.run(act);
  }
  await delay(400);
  const seen = await page.run(() => ({ ...window.seen, timers: undefined }));
  await page.close();
  return seen;
}

function atBest(loads: Seen[]): Seen {
  return {
    longTasks: Math.min(...loads.map(({ longTasks }) => longTasks)),
    blockedMs: Math.min(...loads.map(({ blockedMs }) => blockedMs)),
    layoutShift: loads.reduce((sum, { layoutShift }) => sum + layoutShift, 0),
  };
}

interface Leak {
  nodes: number;
  listeners: number;
  timers: number;
}

/** What is left after doing something a hundred times more. */
async function leakOf(page: Page, act: (times: number) => void): Promise<Leak> {
  await page.run(act, 3);
  const before = await countOf(page);
  await page.run(act, MOUNTS);
  const after = await countOf(page);
  return {
    nodes: after.nodes - before.nodes,
    listeners: after.listeners - before.listeners,
    timers: after.timers - before.timers,
  };
}

async function countOf(page: Page): Promise<Leak> {
  await delay(100);
  await page.devtools("HeapProfiler.collectGarbage");
  const { Nodes: nodes = 0, JSEventListeners: listeners = 0 } = await metricsOf(page);
  return { nodes, listeners, timers: await page.run(() => window.seen.timers.size) };
}

/** What Chromium counts of a page, by its names. */
export async function metricsOf(page: Page): Promise<Record<string, number>> {
  await page.devtools("Performance.enable");
  const { metrics } = await page.devtools<{ metrics: { name: string; value: number }[] }>(
    "Performance.getMetrics",
  );
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

function describe({ nodes, listeners, timers }: Leak): string {
  return `${nodes} nodes, ${listeners} listeners, ${timers} timers left`;
}

// What follows runs in the page.

function watchPage(): void {
  const counts = { longTasks: 0, blockedMs: 0, layoutShift: 0, frames: 0 };
  const seen = { ...counts, timers: new Set<number>() };
  window.seen = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.longTasks += 1;
      seen.blockedMs += duration - 50;
    }
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
      seen.layoutShift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (step) =>
    ask((nowMs) => {
      seen.frames += 1;
      step(nowMs);
    });
  // The page's own functions, and not their types in Node.
  const own: { [name: string]: (...all: never[]) => number | void } = window as never;
  for (const kind of ["Timeout", "Interval"]) {
    const set = own[`set${kind}`] as (run: () => void, ms?: number) => number;
    const clear = own[`clear${kind}`] as (id: number) => void;
    own[`set${kind}`] = (run: (...all: unknown[]) => void, ms: number, ...all: unknown[]) => {
      const id = set(() => {
        if (kind === "Timeout") seen.timers.delete(id);
        run(...all);
      }, ms);
      seen.timers.add(id);
      return id;
    };
    own[`clear${kind}`] = (id: number) => {
      seen.timers.delete(id);
      clear(id);
    };
  }
}

function mountAll(): void {
  Svc.hero.mount(document.getElementById("place")!);
  Svc.widget.show();
}

function mountAndRemove(times: number): void {
  for (let done = 0; done < times; done++) {
    Svc.hero.mount(document.getElementById("place")!);
    Svc.hero.unmount();
    Svc.widget.show();
    Svc.widget.hide();
  }
}

function leakOneNode(times: number): void {
  window.kept ??= [];
  for (let done = 0; done < times; done++) {
    const one = document.createElement("i");
    one.addEventListener("click", () => {});
    window.kept.push(one);
  }
}
