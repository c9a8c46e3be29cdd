import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../browsers/browser.ts";
import { ENGINES } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import type { Claim } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";
import { REFUSED_STATES } from "./states.ts";

/** Longer than any movement takes. */
const SETTLED_MS = 400;

/** What visitors do, in an order in which each leads to the next. */
const JOURNEYS: Record<string, (call: InCall, page: Page) => Promise<void>> = {
  "open and go away again": async (call) => {
    await call.click("#start");
    await call.click("dialog button", "Not now");
    await call.gone("dialog");
  },
  "another language": async (call, page) => {
    await call.click("#start");
    await call.see("dialog select");
    await page.run(chooseLanguage, "de");
    await call.see("dialog[lang=de] select");
    await delay(SETTLED_MS);
    await page.run(chooseLanguage, "en");
    await call.see("button", "Start by typing");
  },
  "greeting by text": async (call) => {
    await call.click("button", "Start by typing");
    await call.see(".replies button");
  },
  "a first slide": async (call) => {
    await call.untilAnswered(() => call.click(".replies button"));
    await call.see(".stage h3");
  },
  "another slide, and back to the first": async (call) => {
    await call.ask("What do I get from a session?");
    await call.ask("How do I install it?");
    await call.click("nav button", "Previous");
  },
  "enlarge and back": async (call) => {
    await call.click("button.enlarge", "Enlarge");
    await call.see(".stage.large");
    await call.click("button.enlarge", "Close");
    await call.gone(".stage.large");
  },
  "a wrong address, then a right one": async (call, page) => {
    await call.ask("Please send me something by email.");
    await call.click("form.card input");
    await call.click("form.card .primary");
    await call.see("form.card [role=alert]", "not an email address");
    await call.click("form.card input");
    await page.type("dana@example.com");
    await call.click("form.card .primary");
    await call.see("li.note", "dana@example.com");
  },
  "small and large": async (call) => {
    await call.click("button", "Make it small");
    await call.see("dialog.docked");
    await delay(SETTLED_MS);
    await call.click("button", "Make it large");
    await call.gone("dialog.docked");
  },
  "stay, end, rate, and go on": async (call) => {
    await call.click("button.end");
    await call.click(".leave button", "Stay");
    await call.gone(".leave");
    await call.end();
    await call.see("h2", "Thank you");
    await call.click("button", "4 of 5");
    await delay(SETTLED_MS);
    await call.click("button", "Go on talking");
    await call.see("button", "Start by typing");
  },
  "a start that is refused": async (call, page) => {
    await call.click("dialog button", "Not now");
    await call.gone("dialog");
    await REFUSED_STATES["trouble"]!(call, page);
  },
};

/** Runs in the page. */
function chooseLanguage(code: string): void {
  const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
  const select = roots.map((root) => root?.querySelector("select")).find(Boolean)!;
  select.value = code;
  select.dispatchEvent(new Event("change"));
}

export const nothingJumps: Claim<PageStage> = {
  promise:
    "Nothing of a call jumps, from the click to the last screen, and it moves nothing of the page",
  bound:
    "no box changes by more than 2 px in a frame outside a movement, only transform and opacity are animated, in ten journeys in Chromium, Firefox and WebKit; a planted jump and a planted animation of a width are noticed",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd }, stage) {
    const { server, agentId } = stage.product;
    const html = pageWith(server.url, agentId, '<p style="height:2000px">A long page</p>');
    const faults: string[] = [];
    const versions: string[] = [];
    let frames = 0;
    let planted = 0;
    for (const engine of ENGINES) {
      const url = await stage.openSite(onEnd, { "/": html });
      const browser = await stage.browser(engine);
      versions.push(browser.version);
      const page = await browser.newPage({ width: 1280, height: 800 });
      await page.goto(url);
      await untilLoaded(page);
      await page.run(watchBoxes);
      const call = inCall(page);
      for (const [journey, act] of Object.entries(JOURNEYS)) {
        await act(call, page);
        await delay(SETTLED_MS);
        const seen = await page.run(() => window.boxes.take());
        frames += seen.frames;
        faults.push(...seen.faults.map((fault) => `${engine}, ${journey}: ${fault}`));
      }
      await page.run(plantJump);
      await delay(SETTLED_MS);
      const { faults: noticed, isCalm } = await page.run(() => window.boxes.take());
      if (isCalm) say(`${engine} wants no motion: there everything changes at once`);
      const kinds = ["moved", "animates"].filter((kind) =>
        noticed.some((one) => one.includes(kind)),
      );
      if (kinds.length === 2) planted += 1;
      await page.close();
    }
    for (const fault of faults.slice(0, 20)) say(fault);
    say(`control: a planted jump and an animated width are noticed in ${planted} engines`);
    return {
      figure: `${faults.length} jumps in ${Object.keys(JOURNEYS).length} journeys in ${versions.length} engines, ${frames} frames`,
      ok: faults.length === 0 && planted === ENGINES.length && frames > 500,
      engines: versions,
    };
  },
};

/** Runs in the page: a heading that jumps, and a button whose width is animated. */
function plantJump(): void {
  const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
  const dialog = roots.map((root) => root?.querySelector("dialog")).find(Boolean)!;
  dialog.querySelector("h2")!.style.marginTop = "40px";
  dialog.querySelector("button")!.animate({ width: ["100px", "200px"] }, 200);
}

declare global {
  interface Window {
    boxes: { take(): Promise<{ frames: number; isCalm: boolean; faults: string[] }> };
  }
}

/** Runs in the page: compares what is drawn in every frame with the frame before. */
function watchBoxes(): void {
  const MAX_PX = 2;
  const ALLOWED = new Set([
    "transform",
    "opacity",
    "offset",
    "computedOffset",
    "easing",
    "composite",
  ]);
  let faults = new Set<string>();
  let frames = 0;
  let movingBefore = new Set<Element>();
  // An engine that draws seldom begins and ends a movement between two frames.
  let begun: Animation[] = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    begun.push(animation);
    return animation;
  };
  let before = new Map<Element, { box: DOMRect; text: string }>();

  const roots = (): ShadowRoot[] =>
    Array.from(document.body.children, ({ shadowRoot }) => shadowRoot).filter(
      (root) => root !== null,
    );

  const nameOf = (element: Element): string =>
    `${element.localName}${element.className && typeof element.className === "string" ? `.${element.className.replaceAll(" ", ".")}` : ""}`;

  /** The box of what an element draws itself; undefined where it draws nothing. */
  function drawnBox(element: Element): DOMRect | undefined {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return undefined;
    const style = getComputedStyle(element);
    if (style.visibility === "hidden" || style.clipPath !== "none") return undefined;
    const isImage =
      element.matches("img, video, input, textarea, select") || element.localName === "svg";
    const isPainted =
      !/, 0\)$|transparent/.test(style.backgroundColor) || style.borderTopWidth !== "0px";
    if (isImage || isPainted || style.backgroundImage !== "none") return box;
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== "",
    );
    if (texts.length === 0) return undefined;
    const range = document.createRange();
    range.setStartBefore(texts[0]!);
    range.setEndAfter(texts.at(-1)!);
    return range.getBoundingClientRect();
  }

  /** With what is typed into it. */
  function textOf(element: Element): string {
    const fields = [element, ...element.querySelectorAll("input, textarea")];
    const typed = fields.map((field) => (field as Partial<HTMLInputElement>).value ?? "");
    return element.textContent + typed.join("");
  }

  // The face of a visitor who wants no motion is at once where it belongs.
  const isCalm = matchMedia("(prefers-reduced-motion)").matches;

  function look(): void {
    frames += 1;
    const moving = [
      ...document.getAnimations(),
      ...roots().flatMap((root) => root.getAnimations()),
    ].filter(({ playState }) => playState === "running");
    moving.push(...begun);
    begun = [];
    const targets = new Set<Element>();
    for (const { effect } of moving) {
      if (!(effect instanceof KeyframeEffect) || effect.target === null) continue;
      targets.add(effect.target);
      for (const frame of effect.getKeyframes())
        for (const property of Object.keys(frame))
          if (!ALLOWED.has(property)) faults.add(`${nameOf(effect.target)} animates ${property}`);
    }
    // A movement that ended since the last frame has still moved it.
    const movers = [...targets, ...movingBefore];
    movingBefore = targets;
    const isMoving = (element: Element): boolean =>
      movers.some((target) => target.contains(element));
    const now: typeof before = new Map();
    const elements = [
      ...document.querySelectorAll("main *"),
      ...roots().flatMap((root) =>
        [...root.querySelectorAll("*")].filter(
          (one) => one.closest("svg") === null || one.localName === "svg",
        ),
      ),
    ];
    for (const element of elements) {
      const box = drawnBox(element);
      if (box === undefined) continue;
      const text = textOf(element);
      now.set(element, { box, text });
      const old = before.get(element);
      // Other words are another thing.
      if (old === undefined || old.text !== text || isMoving(element)) continue;
      if (isCalm && element.closest(".face") !== null) continue;
      const by = Math.max(
        Math.abs(box.x - old.box.x),
        Math.abs(box.y - old.box.y),
        Math.abs(box.width - old.box.width),
        Math.abs(box.height - old.box.height),
      );
      if (by > MAX_PX)
        faults.add(
          `${nameOf(element)} "${text.trim().slice(0, 20)}" moved by ${Math.round(by)} px, from ${[old.box.x, old.box.y, old.box.width, old.box.height].map(Math.round).join()} to ${[box.x, box.y, box.width, box.height].map(Math.round).join()}`,
        );
    }
    before = now;
    requestAnimationFrame(look);
  }
  requestAnimationFrame(look);

  window.boxes = {
    async take() {
      // An engine that draws seldom has not drawn the last change yet.
      for (let drawn = 0; drawn < 3; drawn++)
        await new Promise((resume) => requestAnimationFrame(resume));
      const seen = { frames, isCalm, faults: [...faults] };
      faults = new Set();
      frames = 0;
      return seen;
    },
  };
}
