import { ENGINES } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { HOSTILE_PAGES, pageHtml } from "./hostile-pages.ts";
import type { HostilePage } from "./hostile-pages.ts";
import { runIn } from "./in-page.ts";
import type { InPage } from "./in-page.ts";
import type { PageStage } from "./page-stage.ts";

export const hostPageStaysWhole: Claim<PageStage> = {
  promise:
    "The SDK breaks no page, even while it highlights a part of it, and no page breaks the SDK",
  bound:
    "0 faults on every hostile page in Chromium, Firefox and WebKit, a planted fault is noticed",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove(tools, stage) {
    const { say } = tools;
    const sites = await openSites(tools, stage);
    let faulty = 0;
    let tried = 0;
    async function tryAll(browser: Browser): Promise<void> {
      for (const [width, some] of Map.groupBy(HOSTILE_PAGES, (hostile) => hostile.width)) {
        const page = await browser.newPage(width === undefined ? {} : { width });
        for (const hostile of some) {
          if (tools.timeLeftMs() === 0) break;
          const before = page.said().length;
          await page.goto(sites.get(hostile)!);
          const faults = await faultsOn(page, hostile).catch((error) => [String(error)]);
          faults.push(...page.said().slice(before).filter(isError));
          tried += 1;
          if (faults.length === 0) continue;
          faulty += 1;
          say(`${browser.engine}, ${hostile.name}: ${faults.join("; ")}`);
        }
        await page.close();
      }
    }
    const browsers = await Promise.all(ENGINES.map((engine) => stage.browser(engine)));
    await Promise.all(browsers.map(tryAll));

    const [chromium] = browsers;
    const planted = await plantedFaults(chromium!, sites.get(HOSTILE_PAGES[0]!)!);
    say(`control: ${planted.length} of 3 planted faults are noticed: ${planted.join("; ")}`);
    const engines = browsers.map(({ version }) => version);
    return {
      figure: `${faulty} of ${tried} pages with faults in ${engines.join(", ")}`,
      ok: faulty === 0 && tried === HOSTILE_PAGES.length * ENGINES.length && planted.length === 3,
      engines,
    };
  },
};

/** Every page has an origin of its own, and its own headers. */
async function openSites(
  { onEnd }: Tools,
  { openSite, showing }: PageStage,
): Promise<Map<HostilePage, string>> {
  const { url, agentId } = await showing();
  const opened = HOSTILE_PAGES.map(async (page) => {
    const html = pageHtml(page, url, agentId);
    return [page, await openSite(onEnd, { "/": html }, page.headers?.(url))] as const;
  });
  return new Map(await Promise.all(opened));
}

type Try = (inPage: InPage) => string[] | Promise<string[]>;

/** What goes wrong on a page while the SDK is used there, in words. */
async function faultsOn(page: Page, hostile: HostilePage): Promise<string[]> {
  const {
    act = () => {},
    actWithSdk = () => {},
    isWithoutHero = false,
    isCutOff = false,
  } = hostile;
  const own = await page.run(lookOfOwn);
  await runIn(page, act);
  await runIn(page, ({ until }: InPage) => until(() => globalThis.Svc?.version));
  await runIn(page, actWithSdk);
  const faults: string[] = [];
  const tries: Try[] = [
    tryWidget,
    ...(isWithoutHero ? [] : [tryHero]),
    isCutOff ? tryCutOff : tryCall,
  ];
  for (const one of tries) {
    faults.push(...(await runIn(page, one).catch((error) => [String(error)])));
  }
  return [...faults, ...(await marksOn(page, own))];
}

/** What is different from how the page came, in words, and what was thrown. */
async function marksOn(page: Page, own: string): Promise<string[]> {
  await runIn(page, ({ pause }: InPage) => pause(50));
  const isSame = (await page.run(lookOfOwn)) === own;
  const globals = (await runIn(page, ({ added }: InPage) => added())).filter(
    (name) => name !== "Svc" && !/^\d+$/.test(name),
  );
  return [
    ...(isSame ? [] : ["the page's own elements look different"]),
    ...(globals.length === 0 ? [] : [`globals added: ${globals.join()}`]),
    ...(await page.run(() => window.troubles)),
  ];
}

/** On a page that is hurt: what the same look at it finds. */
async function plantedFaults(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(url);
  const own = await page.run(lookOfOwn);
  await page.run(() => {
    document.querySelector("h1")!.style.color = "red";
    Object.assign(window, { leak: 1 });
    setTimeout(() => {
      throw new Error("ours");
    });
  });
  const noticed = await marksOn(page, own);
  await page.close();
  return noticed;
}

/** What a page that is told of a broken service says about it is its own. */
function isError(line: string): boolean {
  return line.startsWith("error:") && !line.includes("Failed to load resource");
}

// What follows runs in the page.

function lookOfOwn(): string {
  const looks = Array.from(document.querySelectorAll(".own"), (one) => {
    const { color, fontSize, display, backgroundColor, padding } = getComputedStyle(one);
    return [color, fontSize, display, backgroundColor, padding].join();
  });
  return [document.title, ...looks].join(";");
}

async function tryWidget({ widget, pause, isSeen }: InPage): Promise<string[]> {
  const faults: string[] = [];
  Svc.widget.show();
  await pause(30);
  if (!isSeen(widget()?.querySelector(".cta"))) faults.push("the widget is not to be seen");
  Svc.widget.collapse();
  if (!isSeen(widget()?.querySelector(".pill")))
    faults.push("the collapsed widget is not to be seen");
  Svc.widget.expand();
  Svc.widget.hide();
  return faults;
}

function tryHero({ place, isSeen }: InPage): string[] {
  const faults: string[] = [];
  Svc.hero.mount(place, { width: 120, height: 120 });
  if (!isSeen(place.querySelector(".svc-hero-placeholder")))
    faults.push("the hero's face is not to be seen");
  if (!isSeen(place.querySelector(".svc-hero-cta")))
    faults.push("the hero's button is not to be seen");
  Svc.hero.unmount();
  if (place.children.length > 0) faults.push("the hero was left behind");
  return faults;
}

async function tryCall({ until, dialog, isSeen }: InPage): Promise<string[]> {
  const faults: string[] = [];
  const result = await Svc.startDemo();
  if (!result.opened) return [`no call: ${result.reason}`];
  if (!isSeen(dialog())) faults.push("the call is not to be seen");
  if (!dialog()?.matches(":modal")) faults.push("the call is not modal");
  (await until(() => dialog()?.querySelector<HTMLElement>("button.primary"))).click();
  await until(() => dialog()?.querySelector("li.assistant"));
  const field = dialog()?.querySelector("textarea");
  if (!isSeen(field)) faults.push("there is nowhere to type");
  // The light around the page's own title.
  field!.value = "show host";
  field!.form!.requestSubmit();
  const root = dialog()!.getRootNode() as ShadowRoot;
  const ring = await until(() => root.querySelector(".spot:not(.out) i"));
  const own = document.querySelector("h1")!.getBoundingClientRect();
  const { top, bottom } = await until(() => {
    const box = ring.getBoundingClientRect();
    return box.height > 0 ? box : undefined;
  });
  if (top > own.top + 8 || bottom < own.bottom - 8) faults.push("the light is beside its place");
  if (!isSeen(root.querySelector(".spot p"))) faults.push("the caption is not to be seen");
  Svc.endDemo();
  const buttons = (): HTMLElement[] => [
    ...(dialog()?.querySelectorAll<HTMLElement>(".ended button") ?? []),
  ];
  (await until(() => buttons().find(({ textContent: says }) => says === "Close"))).click();
  await until(() => !dialog());
  return faults;
}

async function tryCutOff(): Promise<string[]> {
  const faults: string[] = [];
  const result = await Svc.startDemo();
  if (result.opened || typeof result.reason !== "string") faults.push("no reason was given");
  if ((await Svc.checkClient()).allowed) faults.push("the check says that it is allowed");
  if ((await Svc.getLanguages()).length > 0) faults.push("languages out of nowhere");
  return faults;
}
