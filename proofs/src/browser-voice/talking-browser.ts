import { openBrowser } from "../browsers/browser.ts";
import type { Browser, Engine, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { openHeadset } from "./headset.ts";
import type { Headset } from "./headset.ts";

/** A browser whose visitor wears a headset, with an empty page. */
export interface TalkingBrowser {
  browser: Browser;
  page: Page;
  call: InCall;
  headset: Headset;
}

export async function openTalkingBrowser(
  onEnd: (clean: () => unknown) => void,
  engine: Engine = "chromium",
): Promise<TalkingBrowser> {
  const headset = await openHeadset();
  onEnd(() => headset.close());
  const browser = await openBrowser(engine, { soundCard: headset });
  onEnd(() => browser.close());
  const page = await browser.newPage();
  return { browser, page, call: inCall(page), headset };
}
