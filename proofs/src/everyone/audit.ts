import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "../browsers/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Waits for what fades or moves to an end: halfway, its colours are none that anybody reads. */
const FADED = `
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? roots(one.shadowRoot) : []))];
  const ends = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity;
  return Promise.all(roots(document).flatMap((root) => root.getAnimations()).filter(ends).map((one) => one.finished.catch(() => {}))).then(() => true);
`;

/** What axe-core finds wrong: the rule and the element. It looks into open shadow roots. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.run(`if (!window.axe) { const run = new Function(a); run(); } return true;`, AXE);
  await page.run(FADED);
  return page.run<string[]>(
    `return axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " at " + JSON.stringify(target))));`,
  );
}

/** What sticks out of the screen sideways. In a call that leaves out what its visitor can scroll to, such as a wide table. */
export async function overflowIn(page: Page, where: "page" | "call"): Promise<string[]> {
  return page.run<string[]>(
    `
    const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const scrolls = (one) => { for (let at = one.parentElement; at; at = at.parentElement) if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true; return false; };
    const counts = (one) => a === "page" || (one.closest("dialog") && !one.closest(".hidden") && !scrolls(one));
    return all(document.body).filter(counts).filter((one) => { const box = one.getBoundingClientRect(); return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1); }).map((one) => one.tagName + "." + one.getAttribute("class"));
  `,
    where,
  );
}

/** What has the focus, by its name or its text. */
export async function focused(page: Page): Promise<string> {
  return page.run<string>(
    `let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at && at !== document.body ? (at.getAttribute("aria-label") || at.textContent || at.tagName).trim() : "";`,
  );
}

/** Presses Tab until that has the focus. False when it never does. */
async function tabTo(page: Page, wanted: string): Promise<boolean> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if ((await focused(page)).includes(wanted)) return true;
    await page.press("Tab");
  }
  return false;
}

const MOST_STEPS = 25;

/** A visitor without a pointer, who notes in `faults` what they cannot do. */
export interface Keyboard {
  expectFocus(wanted: string, where: string): Promise<void>;
  /** Goes there by Tab and presses it. */
  pressOn(wanted: string): Promise<void>;
}

export function keyboardOn(page: Page, faults: string[]): Keyboard {
  return {
    async expectFocus(wanted, where) {
      const found = await focused(page);
      if (!found.includes(wanted))
        faults.push(`${where}: the focus is on "${found}", not "${wanted}"`);
    },
    async pressOn(wanted) {
      if (!(await tabTo(page, wanted))) faults.push(`"${wanted}" cannot be reached by Tab`);
      await page.press("Enter");
    },
  };
}
