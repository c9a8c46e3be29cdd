import type { Page } from "./browser.ts";
import { waitUntil } from "./wait-until.ts";

/** A call as a visitor sees it. */
export interface InCall {
  /** Waits until an element is shown whose text or accessible name contains `text`. */
  see(selector: string, text?: string, withinMs?: number): Promise<void>;
  gone(selector: string, withinMs?: number): Promise<void>;
  click(selector: string, text?: string): Promise<void>;
  texts(selector: string): Promise<string[]>;
  /** The end of what is on the screen, for error messages. */
  lastSeen(): Promise<string>;
  /** Types into the composer and sends. */
  say(text: string): Promise<void>;
  /** The same, and waits until the agent has answered and it is the visitor's turn. */
  ask(text: string, withinMs?: number): Promise<void>;
  /** Does something that the agent answers, and waits in the same way. */
  untilAnswered(act: () => Promise<void>, withinMs?: number): Promise<void>;
  /** Ends the call, and says so again where it is asked about. */
  end(): Promise<void>;
}

/** No claim measures by it: what has to be quick is timed where it is claimed. A busy machine answers late. */
const PATIENCE_MS = 30_000;

export function inCall(page: Page): InCall {
  async function until(isSo: () => Promise<boolean>, withinMs: number, what: string) {
    if (await waitUntil(isSo, withinMs, 50)) return;
    throw new Error(`not within ${withinMs} ms: ${what}, but ${await self.lastSeen()}`);
  }
  const find = (selector: string, text = "", isToBeClicked = false): Promise<Found[]> =>
    page.run(findShown, selector, text, isToBeClicked);
  const self: InCall = {
    see: (selector, text, withinMs = PATIENCE_MS) =>
      until(
        async () => (await find(selector, text)).length > 0,
        withinMs,
        `${selector} ${text ?? ""}`,
      ),
    gone: (selector, withinMs = PATIENCE_MS) =>
      until(async () => (await find(selector)).length === 0, withinMs, `${selector} gone`),
    async click(selector, text) {
      await self.see(selector, text);
      const [hit] = await find(selector, text, true);
      if (hit === undefined) throw new Error(`${selector} ${text ?? ""} has gone`);
      await page.clickAt(hit.x, hit.y);
    },
    texts: async (selector) => (await find(selector)).map(({ text }) => text),
    lastSeen: async () => {
      const seen = await self.texts("h2, .state, li.user, li.assistant, li.note");
      return JSON.stringify(seen.slice(-5));
    },
    async say(text) {
      await self.click("textarea");
      await page.type(text);
      await page.press("Enter");
    },
    ask: (text, withinMs) => self.untilAnswered(() => self.say(text), withinMs),
    async untilAnswered(act, withinMs = PATIENCE_MS) {
      const before = (await self.texts("li.assistant")).length;
      await act();
      const isAnswered = async (): Promise<boolean> => {
        const turns = (await self.texts("li.assistant:not(.partial)")).length;
        return turns > before && (await self.texts(".state"))[0] === "Your turn";
      };
      await until(isAnswered, withinMs, "an answer");
    },
    async end() {
      await self.click("button.end");
      const isAsked = async (): Promise<boolean> => (await find(".leave")).length > 0;
      const isOver = async (): Promise<boolean> => (await find(".talk")).length === 0;
      await until(async () => (await isAsked()) || isOver(), PATIENCE_MS, "the end");
      if (await isAsked()) await self.click(".leave .end");
    },
  };
  return self;
}

interface Found {
  text: string;
  x: number;
  y: number;
}

/** Runs in the page: what is shown there and in every open shadow root, with the middle of each element. */
function findShown(selector: string, text: string, isToBeClicked: boolean): Found[] {
  const all = (root: Document | ShadowRoot): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot ? all(shadowRoot) : [],
    ),
  ];
  const hits = all(document).filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isShown = width > 0 && height > 0 && getComputedStyle(element).visibility !== "hidden";
    const name = `${element.textContent}${element.getAttribute("aria-label") ?? ""}`;
    return isShown && name.includes(text);
  });
  if (isToBeClicked) hits[0]?.scrollIntoView({ block: "nearest" });
  return hits.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { text: element.textContent, x: x + width / 2, y: y + height / 2 };
  });
}
