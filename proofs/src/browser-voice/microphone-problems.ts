import type { Page } from "../browsers/browser.ts";

/** One way of having no microphone, and how it comes about. */
export interface ProblemCase {
  problem: string;
  /** The usual one has a microphone, and its visitor has allowed it. */
  browser?: MicrophoneBrowser;
  /** What the customer's site sends along. */
  headers?: Record<string, string>;
  /** The page is at an address without TLS. */
  isInsecure?: boolean;
  /** Before the visitor presses Talk. */
  before?: (page: Page, origin: string) => Promise<unknown>;
  /** While they talk. */
  during?: (page: Page, origin: string) => Promise<unknown>;
}

export type MicrophoneBrowser = "usual" | "dismissing" | "bare";

/** To browsers every page of this machine is as good as one with TLS; this name leads to it and is not. */
export const INSECURE_HOST = "shop.example";

const MICROPHONE = "--use-fake-device-for-media-stream";

export const SWITCHES: Record<MicrophoneBrowser, string[]> = {
  usual: [MICROPHONE, `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`],
  /** Whose visitor closes the question. */
  dismissing: [MICROPHONE, "--use-fake-ui-for-media-stream=deny"],
  bare: [],
};

export const PROBLEMS: readonly ProblemCase[] = [
  { problem: "denied", before: (page, origin) => setMicrophone(page, origin, "denied") },
  { problem: "dismissed", browser: "dismissing" },
  { problem: "none", browser: "bare" },
  { problem: "policy", headers: { "permissions-policy": "microphone=()" } },
  { problem: "insecure", isInsecure: true },
  // No setting of a browser brings these two about.
  {
    problem: "sound",
    before: (page) =>
      page.run(() => {
        // An arrow function cannot be called with `new`: it throws.
        Object.assign(window, { AudioContext: () => {} });
      }),
  },
  {
    problem: "busy",
    before: (page) =>
      page.run(() => {
        navigator.mediaDevices.getUserMedia = () =>
          Promise.reject(new DOMException("", "NotReadableError"));
      }),
  },
  { problem: "removed", during: (page, origin) => setMicrophone(page, origin, "denied") },
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
