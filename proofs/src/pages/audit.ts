import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Axe from "axe-core";
import type { Page } from "../browsers/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    axe?: typeof Axe;
  }
}

/** What axe-core finds wrong: the rule and the element. It looks into open shadow roots. */
export async function violationsIn(page: Page): Promise<string[]> {
  if (!(await page.run(() => window.axe !== undefined))) await page.run(AXE);
  await page.run(untilStill);
  return page.run(async () => {
    const { violations } = await window.axe!.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id} at ${JSON.stringify(target)}`),
    );
  });
}

/** Runs in the page: waits until nothing fades or moves. Halfway, its colours are none that anybody reads. */
export async function untilStill(): Promise<void> {
  const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot ? roots(shadowRoot) : [],
    ),
  ];
  const ending = roots(document)
    .flatMap((root) => root.getAnimations())
    .filter((one) => one.playState === "running")
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map((one) => one.finished));
}

/** What sticks out of the screen sideways. But for whole pages that leaves out what can be scrolled to, such as a wide table. */
export async function overflowIn(
  page: Page,
  where: "page" | "call" | "console",
): Promise<string[]> {
  return page.run((looked) => {
    const all = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [
        one,
        ...(one.shadowRoot ? all(one.shadowRoot) : []),
      ]);
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    const isInCall = (one: Element): boolean =>
      !!one.closest("dialog") && !one.closest(".hidden") && !scrolls(one.parentElement);
    return (
      all(document.body)
        .filter((one) =>
          looked === "call" ? isInCall(one) : looked === "page" || !scrolls(one.parentElement),
        )
        // A picture cuts off what is drawn beside it.
        .filter((one) => one.parentElement?.closest("svg") == null)
        .filter((one) => {
          const { width, left, right } = one.getBoundingClientRect();
          return width > 0 && (left < -1 || right > innerWidth + 1);
        })
        .map((one) => `${one.tagName}.${one.getAttribute("class")}`)
    );
  }, where);
}

/** Controls that a screen reader has no name for, as the browser tells it. */
export async function namelessIn(page: Page): Promise<string[]> {
  const { nodes } = await page.devtools<{ nodes: AccessibleNode[] }>("Accessibility.getFullAXTree");
  return nodes
    .filter(({ ignored, role }) => !ignored && NAMED_ROLES.has(role?.value ?? ""))
    .filter(({ name }) => !name?.value?.trim())
    .map(({ role }) => `a ${role!.value} has no name`);
}

interface AccessibleNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value?: string };
}

const NAMED_ROLES: ReadonlySet<string> = new Set([
  "alertdialog",
  "button",
  "combobox",
  "dialog",
  "image",
  "link",
  "textbox",
]);

/** Controls that a finger misses, and what moves though the visitor wants no motion. */
export async function unkindIn(page: Page): Promise<string[]> {
  return page.run(() => {
    const MIN_PX = 24;
    const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
      root,
      ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
        shadowRoot ? roots(shadowRoot) : [],
      ),
    ];
    const all = roots(document);
    const small = all
      .flatMap((root) => [...root.querySelectorAll("button, a[href], input, select, textarea")])
      // The page's own button is as small as its owner likes.
      .filter((one) => one.id !== "start")
      .filter((one) => {
        // Who misses a box presses its words.
        const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
        const isShown = width > 0 && getComputedStyle(one).visibility === "visible";
        return (
          isShown && getComputedStyle(one).display !== "inline" && Math.min(width, height) < MIN_PX
        );
      })
      .map((one) => `${one.tagName}.${one.className} is smaller than ${MIN_PX} px`);
    const moving = matchMedia("(prefers-reduced-motion: reduce)").matches
      ? all.flatMap((root) => root.getAnimations()).filter((one) => one.playState === "running")
      : [];
    return [...small, ...moving.map(({ id }) => `something moves ${id}`)];
  });
}

const MAX_STEPS = 25;

/** A visitor without a pointer, who notes in `faults` what they cannot do. */
export class Keyboard {
  readonly #page: Page;
  readonly #faults: string[];

  constructor(page: Page, faults: string[]) {
    this.#page = page;
    this.#faults = faults;
  }

  /** What has the focus, by its name or its text. */
  focused(): Promise<string> {
    return this.#page.run(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (!at || at === document.body) return "";
      return (at.getAttribute("aria-label") || at.textContent || at.tagName).trim();
    });
  }

  async expectFocus(wanted: string, where: string): Promise<void> {
    const found = await this.focused();
    if (!found.includes(wanted))
      this.#faults.push(`${where}: the focus is on "${found}", not "${wanted}"`);
  }

  /** Moves the focus there, forwards or backwards. */
  async moveTo(wanted: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      if ((await this.focused()).includes(wanted)) return;
      await this.#page.press(key);
    }
    this.#faults.push(`"${wanted}" cannot be reached by ${key}`);
  }

  async pressOn(wanted: string, key?: "Tab" | "Shift+Tab"): Promise<void> {
    await this.moveTo(wanted, key);
    await this.#page.press("Enter");
  }
}
