import type { Page } from "../browsers/browser.ts";

/** Waits until the SDK is on the page. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.run(
    "return new Promise((resolve) => { const look = () => window.Svc?.version ? resolve(true) : setTimeout(look, 10); look(); });",
  );
}
