import type { Page } from "../browsers/browser.ts";

/** Stands as `inPage` in every page on which a claim looks at the SDK. */
export interface InPage {
  pause(ms: number): Promise<void>;
  /** Waits for a value other than false, null and undefined. */
  until<T>(test: () => T): Promise<NonNullable<T>>;
  /** The overlay of a call. */
  dialog(): HTMLDialogElement | undefined;
  /** The widget's shadow root. */
  widget(): ShadowRoot | undefined;
  /** The page's element for a hero. */
  place: HTMLElement;
  /** Large enough to be used, and not beside the screen. */
  isSeen(element: Element | null | undefined): boolean;
  /** The globals that the page did not have at first. */
  added(): string[];
}

/** Runs a function in such a page, with `inPage` as its first argument. Only its source text gets there. */
export function runIn<Helpers extends InPage, Args extends unknown[], T>(
  page: Page,
  code: (inPage: Helpers, ...args: Args) => T,
  ...args: Args
): Promise<Awaited<T>> {
  return page.run<Awaited<T>>(`return (${code.toString()})(inPage, a, b);`, ...args);
}

/** Runs in a page, before the SDK is there. */
export function addHelpers(): void {
  const inPage: InPage = {
    pause: (ms) => new Promise((resume) => setTimeout(resume, ms)),
    async until(test) {
      // No claim measures by it: a busy machine answers late.
      for (let tries = 0; tries < 1_500; tries++) {
        const found = test();
        if (found) return found;
        await inPage.pause(20);
      }
      throw new Error(`waited in vain for ${test.toString()}`);
    },
    dialog() {
      const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
      return roots.map((root) => root?.querySelector("dialog")).find(Boolean) ?? undefined;
    },
    widget() {
      const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
      return roots.find((root) => root?.querySelector(".box")) ?? undefined;
    },
    get place() {
      return document.getElementById("place")!;
    },
    isSeen(element) {
      if (!element) return false;
      const { width, height, left, right } = element.getBoundingClientRect();
      const isInside = left >= -1 && right <= innerWidth + 1;
      const isVisible = getComputedStyle(element).visibility === "visible";
      return width > 20 && height > 20 && isInside && isVisible;
    },
    added: () => Object.getOwnPropertyNames(window).filter((name) => !known.includes(name)),
  };
  Object.assign(window, { inPage });
  const known = Object.getOwnPropertyNames(window);
}
