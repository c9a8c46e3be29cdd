import type { Page } from "../browsers/browser.ts";

/** One way of having no microphone, and how it comes about. */
export interface RungCase {
  rung: string;
  /** The usual one has a microphone, and its visitor has allowed it. */
  browser?: RungBrowser;
  /** What the customer's site sends along. */
  headers?: Record<string, string>;
  /** The page is at an address without TLS. */
  isInsecure?: boolean;
  /** Before the visitor presses Talk. */
  before?: (page: Page, origin: string) => Promise<unknown>;
  /** While they talk. */
  during?: (page: Page, origin: string) => Promise<unknown>;
}

export type RungBrowser = "usual" | "dismissing" | "bare";

/** To browsers every page of this machine is as good as one with TLS; this name leads to it and is not. */
export const INSECURE_HOST = "shop.example";

const MICROPHONE = "--use-fake-device-for-media-stream";

export const SWITCHES: Record<RungBrowser, string[]> = {
  usual: [MICROPHONE, `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
  /** Whose visitor closes the question. */
  dismissing: [MICROPHONE, "--use-fake-ui-for-media-stream=deny"],
  bare: [],
};

export const RUNGS: readonly RungCase[] = [
  { rung: "denied", before: (page, origin) => setMicrophone(page, origin, "denied") },
  { rung: "dismissed", browser: "dismissing" },
  { rung: "none", browser: "bare" },
  { rung: "policy", headers: { "permissions-policy": "microphone=()" } },
  { rung: "insecure", isInsecure: true },
  // No setting of a browser brings these two about.
  {
    rung: "sound",
    before: (page) =>
      page.run(() => {
        // An arrow function cannot be called with `new`: it throws.
        Object.assign(window, { AudioContext: () => {} });
      }),
  },
  {
    rung: "busy",
    before: (page) =>
      page.run(() => {
        navigator.mediaDevices.getUserMedia = () =>
          Promise.reject(new DOMException("", "NotReadableError"));
      }),
  },
  { rung: "removed", during: (page, origin) => setMicrophone(page, origin, "denied") },
];

/** As the visitor does in the browser's own settings. */
export function setMicrophone(
  page: Page,
  origin: string,
  setting: "granted" | "denied" | "prompt",
): Promise<unknown> {
  const permission = { name: "microphone" };
  return page.devtools("Browser.setPermission", { permission, setting, origin });
}

/** These cannot be loaded, as on a network that filters. */
export async function block(page: Page, urls: string): Promise<void> {
  await page.devtools("Network.enable");
  await page.devtools("Network.setBlockedURLs", { urls: [urls] });
}
