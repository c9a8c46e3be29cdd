import type { VoiceVisitor } from "@svc/server/testing";
import type { LiveServerMessage } from "@svc/contract/types";

type Kind = LiveServerMessage["type"] | "sound";

const LOOK_MS = 5;

/** When what the server sends has arrived at a visitor, by `performance.now`. */
export class Arrivals {
  readonly #all: { kind: Kind; at: number }[] = [];

  constructor({ browser }: VoiceVisitor) {
    browser.socket.on("message", (_data, isBinary) => {
      const at = performance.now();
      // The browser has read it by now.
      this.#all.push({ kind: isBinary ? "sound" : browser.messages.at(-1)!.type, at });
    });
  }

  first(kind: Kind, after: number): number | undefined {
    return this.#all.find((one) => one.kind === kind && one.at > after)?.at;
  }

  /** Waits for it; undefined when it does not come in time. */
  async next(kind: Kind, after: number, withinMs: number): Promise<number | undefined> {
    await waitUntil(() => this.first(kind, after) !== undefined, withinMs);
    return this.first(kind, after);
  }
}

/** Resolves when it is so, or so much later. */
export async function waitUntil(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!isSo() && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return isSo();
}
