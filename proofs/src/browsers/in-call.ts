import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "./browser.ts";

/** Finds elements in the page and in every open shadow root of it. */
const DEEP = `
  function all(selector, root = document) {
    const found = [...root.querySelectorAll(selector)];
    for (const host of root.querySelectorAll("*")) if (host.shadowRoot) found.push(...all(selector, host.shadowRoot));
    return found;
  }
  function shown(element) {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
  }
`;

/** A call as a visitor sees it. */
export interface InCall {
  /** Waits until an element is shown whose text or accessible name contains `text`. */
  see(selector: string, text?: string, withinMs?: number): Promise<void>;
  gone(selector: string, withinMs?: number): Promise<void>;
  click(selector: string, text?: string): Promise<void>;
  texts(selector: string): Promise<string[]>;
  /** The end of what is on the screen, for who waited in vain. */
  lastSeen(): Promise<string>;
  /** Types into the composer and sends. */
  say(text: string): Promise<void>;
}

export function inCall(page: Page): InCall {
  const match = `const hits = all(a).filter(shown).filter((one) => !b || (one.textContent + (one.getAttribute("aria-label") ?? "")).includes(b));`;
  async function until(
    body: string,
    args: unknown[],
    withinMs: number,
    what: string,
  ): Promise<void> {
    const endMs = performance.now() + withinMs;
    while (!(await page.run<boolean>(DEEP + match + body, ...args))) {
      if (performance.now() > endMs) {
        throw new Error(`not within ${withinMs} ms: ${what}, but ${await self.lastSeen()}`);
      }
      await delay(50);
    }
  }
  const self: InCall = {
    see: (selector, text = "", withinMs = 10_000) =>
      until("return hits.length > 0;", [selector, text], withinMs, `${selector} ${text}`),
    gone: (selector, withinMs = 10_000) =>
      until("return hits.length === 0;", [selector, ""], withinMs, `${selector} gone`),
    async click(selector, text = "") {
      await self.see(selector, text);
      const [x, y] = await page.run<[number, number]>(
        `${DEEP}${match} hits[0].scrollIntoView({ block: "nearest" }); const box = hits[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];`,
        selector,
        text,
      );
      await page.clickAt(x, y);
    },
    texts: (selector) =>
      page.run(`${DEEP} return all(a).filter(shown).map((one) => one.textContent);`, selector),
    lastSeen: async () => {
      const seen = await self.texts("h2, .state, li.user, li.assistant, li.note");
      return JSON.stringify(seen.slice(-5));
    },
    async say(text) {
      await self.click("textarea");
      await page.type(text);
      await page.press("Enter");
    },
  };
  return self;
}
