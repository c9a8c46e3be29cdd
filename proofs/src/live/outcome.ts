import type { Socket } from "node:net";
import type { LiveBrowser } from "@svc/server/testing";
import type { Frame, Nonsense } from "./nonsense.ts";

/** Sends the nonsense and says what is wrong with what became of the socket; undefined when nothing is. */
export async function outcomeOf(
  browser: LiveBrowser,
  { kind, frames, expects }: Nonsense,
): Promise<string | undefined> {
  if (browser.closeCode !== undefined) return `${kind}: the socket did not open`;
  const pongs = browser.all("pong").length;
  for (const frame of frames) send(browser, frame);
  const isOver = expects === "passed over" ? () => browser.all("pong").length > pongs : () => false;
  if (expects === "passed over") browser.ping();
  try {
    await browser.until(String(expects), () => browser.closeCode !== undefined || isOver());
  } catch (error) {
    return `${kind}: ${String(error)}`;
  }
  const outcome = browser.closeCode ?? "passed over";
  return outcome === expects ? undefined : `${kind}: ${outcome} instead of ${expects}`;
}

function send(browser: LiveBrowser, frame: Frame): void {
  if (typeof frame === "object" && "wire" in frame) {
    const { _socket: wire } = browser.socket as unknown as { _socket: Socket };
    wire.write(frame.wire);
  } else {
    browser.raw(frame);
  }
}
