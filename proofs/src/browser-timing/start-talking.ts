import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";

export interface TalkingPage {
  page: Page;
  call: InCall;
}

/** So long does somebody read the notice at least. */
const READS_MS = 500;

/** Opens a page, reads the notice and clicks Talk. `before` runs in the page ahead of that. */
export async function startTalking(
  browser: Browser,
  url: string,
  before = "",
): Promise<TalkingPage> {
  const page = await browser.newPage();
  // Visitors are new: nothing is kept from the one before.
  await page.devtools("Network.clearBrowserCache");
  await page.goto(url);
  await page.run(before);
  const call = inCall(page);
  await call.click("#start");
  await call.see("dialog button", "Talk");
  await delay(READS_MS);
  await call.click("dialog button", "Talk");
  return { page, call };
}

/** Looks into the page until it is so. */
export async function untilPage(page: Page, isSo: string, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  while (!(await page.run<boolean>(`return ${isSo};`))) {
    if (performance.now() > endMs) return false;
    await delay(50);
  }
  return true;
}
