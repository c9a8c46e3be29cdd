import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../browsers/browser.ts";

/** One page of the playground, as a visitor has it before them. */
export interface PlaygroundPage {
  open(address: string): Promise<void>;
  /** What its Copy button gives. */
  code(): Promise<string>;
  address(): Promise<string>;
  /** Turns every control to something else. Returns how many there were. */
  turnEverything(text: string): Promise<number>;
  /** What every control says now. */
  settings(): Promise<string>;
  isTooWide(): Promise<boolean>;
  /** In words: what went wrong in it, or in the preview. */
  complaints(): Promise<string[]>;
}

/** Until the preview that belongs to the newest settings has loaded. */
const SETTLED = `
  const frames = document.querySelectorAll("#stage iframe");
  return frames.length === 1 && frames[0].classList.contains("shown") && document.querySelector("pre") !== null;`;

const TURN = `
  const controls = [...document.querySelectorAll("#controls :is(input, select, textarea)")];
  const turned = new Set();
  for (const one of controls) {
    if (one.type === "color" || turned.has(one.name)) continue;
    turned.add(one.name);
    if (one.type === "radio") {
      [...document.getElementsByName(one.name)].find((other) => !other.checked).click();
    } else if (one.type === "checkbox") one.click();
    else {
      if (one.localName === "select") one.selectedIndex = one.options.length - 1;
      else if (one.type === "range") one.value = String(Number(one.max) / 2);
      else if (one.value.startsWith("{")) one.value = JSON.stringify({ key: a, raw: a });
      else one.value = a;
      one.dispatchEvent(new Event("input", { bubbles: true }));
      one.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
  return turned.size;`;

export function playgroundPage(page: Page): PlaygroundPage {
  async function settle(): Promise<void> {
    for (let tries = 0; !(await page.run<boolean>(SETTLED)); tries++) {
      if (tries > 300) throw new Error("the preview did not come");
      await delay(50);
    }
  }
  return {
    async open(address) {
      await page.goto(address);
      await settle();
    },
    code: () => page.run('return document.querySelector("pre").textContent;'),
    address: () => page.run("return location.href;"),
    async turnEverything(text) {
      const count = await page.run<number>(TURN, text);
      // It waits for a moment whether more is typed.
      await delay(300);
      await settle();
      return count;
    },
    settings: () =>
      page.run(
        'return JSON.stringify([...new FormData(document.getElementById("controls"))].filter(([name]) => !name.endsWith("-own")));',
      ),
    isTooWide: () => page.run("return document.documentElement.scrollWidth > innerWidth;"),
    complaints: async () => [
      ...page.said(),
      ...(await page.run<string[]>(
        `return [...document.querySelectorAll('#log [data-kind="error"], #log [data-kind="hint"]')].map((one) => one.textContent);`,
      )),
    ],
  };
}
