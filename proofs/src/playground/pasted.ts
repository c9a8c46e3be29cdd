import type { Browser } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { openCustomerSite } from "../product/customer-site.ts";

const opensByButton = async (call: InCall): Promise<void> => {
  await call.click("#demo");
  await call.see("dialog h2");
};

/** What each page's code must bring about on a page that has nothing else. */
const BRINGS: Record<string, (call: InCall) => Promise<void>> = {
  widget: (call) => call.see(".card .cta, .pill"),
  hero: (call) => call.see(".svc-hero-cta"),
  button: opensByButton,
  form: (call) => call.see(".input, .svc-hero-input"),
  call: opensByButton,
  languages: async (call) => {
    await call.click("#languages button:nth-child(4)");
    await call.see("dialog h2");
  },
  metadata: opensByButton,
  events: opensByButton,
  faults: opensByButton,
};

export const PLAYGROUND_PAGES: string[] = Object.keys(BRINGS);

/** Pastes code into a blank page of another site. Returns in words what is wrong with it. */
export async function tryPasted(browser: Browser, id: string, code: string): Promise<string[]> {
  const site = await openCustomerSite({
    "/": `<!doctype html><link rel="icon" href="data:,"><title>Blank</title><body>\n${code}\n</body>`,
  });
  const page = await browser.newPage();
  try {
    await page.goto(site.url);
    const brought = await BRINGS[id]!(inCall(page)).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const isBroken = await page.run<boolean>("return window.broken === true;");
    return [...brought, ...page.said(), ...(isBroken ? ["what was typed ran as code"] : [])];
  } finally {
    await page.close();
    await site.close();
  }
}
