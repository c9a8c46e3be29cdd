import type { Page } from "../browsers/browser.ts";

/** Waits until the SDK is on the page. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.run(async () => {
    while (!globalThis.Svc?.version) await new Promise((resume) => setTimeout(resume, 10));
  });
}
