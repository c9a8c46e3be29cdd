import type { ContentWords, LivePlaceResult, LiveShown } from "@svc/contract/types";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import { fill } from "../cards-and-endings/fill.ts";
import { element } from "../kit.ts";
import { isAtEnd } from "../sources/at-end.ts";
import { findPlace, isSeen } from "./find-place.ts";
import { drawLight } from "./light.ts";
import type { Light } from "./light.ts";
import { pageActions } from "./page-actions.ts";
import type { PageActions } from "./page-actions.ts";
import { PLACES_STYLE } from "./places-style.ts";
import { isInView, reveal } from "./reveal.ts";
import { isHere, markOf, setMark } from "./where.ts";

/** Lights around places of the visitor's page. There is one at a time. */
export interface PlaceLights {
  show(content: LiveShown): void;
  putOut(): void;
  /** For the actions of the page. */
  take: PageActions["take"];
}

export interface LightOptions {
  frame: Frame;
  send: (message: Outgoing) => void;
  stage: HTMLElement;
  words: ContentWords;
}

/** Content may come late: a page that is still loading, or that asks its own server. */
const WAIT_MS = 8_000;
const LOOK_MS = 100;
/** What comes in above a place moves it out of view. It is followed until it stood for so long, unless the visitor scrolls. */
const SETTLE_MS = 4_000;
/** A smooth scroll takes about as long. */
const SCROLL_MS = 700;

export function placeLights({ frame, send, stage, words }: LightOptions): PlaceLights {
  const root = stage.getRootNode() as ShadowRoot;
  const column = stage.nextElementSibling!;
  frame.addStyle(PLACES_STYLE);
  /** What is on show or looked for. */
  let shown: LiveShown | undefined;
  let target: Element | undefined;
  let light: Light | undefined;
  let asked: HTMLElement | undefined;
  /** The call was made small for a place, not by the visitor. */
  let isOursSmall = false;
  let timer: number | undefined;
  let settleUntil = 0;
  let stoodAt = 0;
  let revealedAt = 0;

  function tell(state: LivePlaceResult["state"]): void {
    send({ type: "place_result", cue: shown!.place!.cue, state });
  }

  function clear(): void {
    clearTimeout(timer);
    light?.remove();
    asked?.remove();
    light = asked = target = shown = undefined;
    for (const event of SCROLLED_BY) removeEventListener(event, leaveAlone, true);
  }

  function giveUp(state: LivePlaceResult["state"]): void {
    tell(state);
    clear();
  }

  /** Something below the conversation, in place of what stood there. */
  function say(text: string, ...choices: HTMLElement[]): void {
    asked?.remove();
    asked = element(
      "div",
      { className: "card", role: "status" },
      element("p", {}, text),
      choices.length > 0 && element("div", { className: "row" }, ...choices),
    );
    const list = column.querySelector("ol");
    const wasAtEnd = list && isAtEnd(list);
    column.querySelector(".card-place")!.after(asked);
    // It takes room from the conversation: the newest words and their sources would be covered.
    if (wasAtEnd) list.scrollTop = list.scrollHeight;
  }

  function choice(text: string, onclick: () => void, className: string): HTMLElement {
    return element("button", { type: "button", className, onclick }, text);
  }

  function ask(title: string, to: URL): void {
    say(
      fill(words.place_ask, { title }),
      choice(words.place_open, () => go(to), "primary"),
      choice(words.place_stay, () => giveUp("declined"), "plain"),
    );
  }

  /** The call goes on there, or here where only the fragment changes. */
  function go(to: URL): void {
    const { cue } = shown!.place!;
    asked?.remove();
    makeSmall();
    setMark(cue, true);
    location.assign(to.href);
    look(Date.now() + WAIT_MS);
  }

  function offerElsewhere(title: string, to: URL): void {
    const link = element(
      "a",
      { className: "button", href: to.href, target: "_blank", rel: "noopener" },
      words.place_open,
    );
    link.addEventListener("click", () => {
      tell("shown");
      asked?.remove();
    });
    const stay = choice(words.place_stay, () => giveUp("declined"), "plain");
    say(fill(words.place_elsewhere, { title, host: to.host }), link, stay);
  }

  function makeSmall(): void {
    if (frame.isMinimized) return;
    isOursSmall = true;
    frame.minimize();
  }

  function look(until: number): void {
    const { title, place } = shown!;
    target = findPlace(place!.selector);
    if (target) return lightUp();
    if (Date.now() < until) {
      timer = window.setTimeout(look, LOOK_MS, until);
      return;
    }
    const missing = fill(words.place_missing, { title });
    giveUp("missing");
    say(missing);
    timer = window.setTimeout(clear, WAIT_MS);
  }

  function lightUp(): void {
    setMark(shown!.place!.cue, false);
    makeSmall();
    light = drawLight(root, shown!.title);
    settleUntil = Date.now() + SETTLE_MS;
    for (const event of SCROLLED_BY)
      addEventListener(event, leaveAlone, { capture: true, passive: true });
    revealTarget();
    tell("shown");
    follow();
  }

  function revealTarget(): void {
    revealedAt = Date.now();
    reveal(target!, root.querySelector("dialog")!);
  }

  function leaveAlone(event: Event): void {
    // What the visitor does in the call does not move the page.
    if (event.target !== root.host) settleUntil = 0;
  }

  /** The page may move, change and draw its elements anew at any time. */
  function follow(): void {
    if (!light) return;
    if (!frame.isMinimized || !stage.isConnected) return giveUp("gone");
    if (!target || !isSeen(target)) target = findPlace(shown!.place!.selector);
    light.moveTo(target);
    const now = Date.now();
    const standsAt = target ? scrollY + target.getBoundingClientRect().top : stoodAt;
    if (settleUntil && Math.abs(standsAt - stoodAt) > 1) settleUntil = now + SETTLE_MS;
    stoodAt = standsAt;
    if (target && now < settleUntil && now - revealedAt > SCROLL_MS) {
      if (!isInView(target, root.querySelector("dialog")!)) revealTarget();
    }
    requestAnimationFrame(follow);
  }

  return {
    ...pageActions({ send, onRun: makeSmall }),
    show(content) {
      const { cue, confirm } = content.place!;
      // The same in another language, or once more after a lost connection.
      if (shown?.place!.cue === cue) {
        shown = content;
        light?.say(content.title);
        return;
      }
      if (shown) tell("gone");
      clear();
      const mark = markOf(cue);
      setMark(cue, mark === "sent");
      shown = content;
      const to = new URL(content.url, location.href);
      if (isHere(content.url) || mark === "sent") look(Date.now() + WAIT_MS);
      // Shown on an earlier page, which the visitor has left by themselves.
      else if (mark) giveUp("gone");
      else if (to.origin !== location.origin) offerElsewhere(content.title, to);
      else if (confirm) ask(content.title, to);
      else go(to);
    },
    putOut() {
      if (shown) giveUp("gone");
      if (isOursSmall && frame.isMinimized) frame.restore();
      isOursSmall = false;
    },
  };
}

const SCROLLED_BY = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
