/*
 * These functions run in the recorded page: each is sent as its source text and may use nothing from outside itself. The
 * server's types know no page, so the few parts that are used are declared below.
 */

/** Where an element is in the window, in CSS pixels. Undefined while it cannot be seen. */
export interface PageBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FoundElement {
  box: PageBox;
  /** What people call it; empty where it has no name, or the name is masked. */
  name: string;
}

/**
 * Waits for an element and says where it is. `scrolls` brings it into view, `focuses` also puts the cursor into it, and `stays`
 * leaves the page as it is.
 */
export async function findElement(
  selector: string,
  waitMs: number,
  way: "scrolls" | "focuses" | "stays",
): Promise<FoundElement | "missing" | "no selector"> {
  const page = globalThis as unknown as Page;
  const endMs = Date.now() + waitMs;
  for (;;) {
    let found: PageElement[];
    try {
      let roots: Root[] = [page.document];
      found = [];
      for (const step of selector.split(">>>")) {
        found = roots.flatMap((root) => [...root.querySelectorAll(step)]);
        roots = found.flatMap(({ shadowRoot }) => shadowRoot ?? []);
      }
    } catch {
      return "no selector";
    }
    const seen = found.find((one) => {
      const { width, height } = one.getBoundingClientRect();
      return width > 0 && height > 0 && page.getComputedStyle(one).visibility !== "hidden";
    });
    if (seen !== undefined) {
      const { top, bottom, left, right } = seen.getBoundingClientRect();
      const isInView =
        top >= 0 && left >= 0 && bottom <= page.innerHeight && right <= page.innerWidth;
      if (!isInView && way !== "stays")
        seen.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      if (way === "focuses") {
        seen.focus?.();
        seen.select?.();
      }
      const { x, y, width, height } = seen.getBoundingClientRect();
      const names = [
        seen.getAttribute("aria-label"),
        seen.labels?.[0]?.innerText,
        seen.tagName === "INPUT" ? "" : seen.innerText,
        seen.getAttribute("placeholder"),
        seen.getAttribute("title"),
      ];
      const name = names
        .map((one) => (one ?? "").trim().split("\n", 1)[0]!)
        .find((one) => one !== "");
      return { box: { x, y, width, height }, name: (name ?? "").slice(0, 60) };
    }
    if (Date.now() >= endMs) return "missing";
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Waits until the page has loaded and nothing in it has changed for a while, and brings what moves to its end. */
export async function settle(quietMs: number, maxMs: number): Promise<void> {
  const { document, MutationObserver } = globalThis as unknown as Page;
  const endMs = Date.now() + maxMs;
  let changedMs = Date.now();
  const observer = new MutationObserver(() => (changedMs = Date.now()));
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  while (
    Date.now() < endMs &&
    (document.readyState !== "complete" || Date.now() - changedMs < quietMs)
  )
    await new Promise((resume) => setTimeout(resume, 25));
  observer.disconnect();
  await document.fonts.ready;
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      // It has no end.
      animation.pause();
    }
  }
}

export interface Masked {
  /** How many elements each mask has hidden. */
  hidden: number[];
  /** Masks that an element withstood, or whose text is read elsewhere on the page too. */
  leaking: string[];
  /** What the picture is called by the page itself; empty where that is masked. */
  heading: string;
  /** Texts that no caption may hold. */
  secrets: string[];
}

/** Hides what is personal, behind bars of the same size. `unmask` undoes it. */
export function mask(selectors: string[]): Masked {
  const page = globalThis as unknown as Page;
  const { document } = page;
  const bars = document.createElement("div");
  bars.id = "svc-masks";
  bars.setAttribute("popover", "manual");
  bars.style.cssText =
    "all:initial;position:fixed;inset:0;width:100%;height:100%;overflow:hidden;pointer-events:none;z-index:2147483647";
  const undo: (() => void)[] = [];
  const masked = selectors.map((selector) => {
    let roots: Root[] = [document];
    let found: PageElement[] = [];
    for (const step of selector.split(">>>")) {
      found = roots.flatMap((root) => [...root.querySelectorAll(step)]);
      roots = found.flatMap(({ shadowRoot }) => shadowRoot ?? []);
    }
    return { selector, found };
  });
  const secrets = masked.map(({ found }) =>
    found
      .map((one) => (one.value ?? one.innerText ?? "").trim())
      .filter((text) => text.length >= 4),
  );
  for (const { found } of masked)
    for (const one of found) {
      for (const { x, y, width, height } of one.getClientRects()) {
        const bar = document.createElement("div");
        bar.style.cssText = `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px;border-radius:4px;background:#c5ccd6`;
        bars.append(bar);
      }
      const before = one.getAttribute("style");
      undo.push(() =>
        before === null ? one.removeAttribute("style") : one.setAttribute("style", before),
      );
      // Opacity holds for all that is inside, and visibility where an element has no box of its own.
      one.style.setProperty("transition", "none", "important");
      one.style.setProperty("animation", "none", "important");
      one.style.setProperty("opacity", "0", "important");
      one.style.setProperty("visibility", "hidden", "important");
    }
  document.documentElement.append(bars);
  bars.showPopover?.();
  page.svcUnmask = () => {
    for (const one of undo) one();
    bars.remove();
  };
  const fields = [...document.querySelectorAll("input, textarea")].filter(
    (one) => page.getComputedStyle(one).visibility !== "hidden",
  );
  const readable = [document.body.innerText, ...fields.map(({ value }) => value ?? "")].join("\n");
  const leaking = masked.filter(
    ({ found }, index) =>
      found.some((one) => page.getComputedStyle(one).opacity !== "0") ||
      secrets[index]!.some((text) => readable.includes(text)),
  );
  const [h1] = [...document.querySelectorAll("h1")];
  return {
    hidden: masked.map(({ found }) => found.length),
    leaking: leaking.map(({ selector }) => selector),
    heading: (h1?.innerText ?? document.title).trim().split("\n", 1)[0]!.slice(0, 120),
    secrets: secrets.flat(),
  };
}

/** Undoes `mask`. */
export function unmask(): void {
  (globalThis as unknown as Page).svcUnmask?.();
}

interface Root {
  querySelectorAll(selector: string): Iterable<PageElement>;
}

interface PageElement extends Root {
  id: string;
  tagName: string;
  innerText?: string;
  value?: string;
  labels?: { innerText: string }[];
  style: {
    cssText: string;
    setProperty(name: string, value: string, priority?: "important"): void;
  };
  shadowRoot: Root | null;
  getBoundingClientRect(): PageBox & { top: number; bottom: number; left: number; right: number };
  getClientRects(): Iterable<PageBox>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  scrollIntoView(options: { block: "center"; inline: "center"; behavior: "instant" }): void;
  append(child: PageElement): void;
  remove(): void;
  focus?(): void;
  select?(): void;
  showPopover?(): void;
}

interface Page {
  innerWidth: number;
  innerHeight: number;
  document: Root & {
    title: string;
    readyState: string;
    body: { innerText: string };
    documentElement: PageElement;
    fonts: { ready: Promise<unknown> };
    createElement(tag: string): PageElement;
    getAnimations(): { finish(): void; pause(): void }[];
  };
  MutationObserver: new (changed: () => void) => {
    observe(target: unknown, options: object): void;
    disconnect(): void;
  };
  getComputedStyle(one: PageElement): { visibility: string; opacity: string };
  svcUnmask?: () => void;
}
