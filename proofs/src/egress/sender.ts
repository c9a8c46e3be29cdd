import { lookup } from "node:dns/promises";
import { createEgress } from "@svc/server/testing";

/** What a sender is asked to do, and how each request ended. */
export interface Sending {
  by: keyof typeof senders;
  urls: string[];
  /** For `check, then fetch`: addresses that its check lets through. */
  allowed: string[];
}

const AT_ONCE = 32;
const egress = createEgress({ allowPlainHttp: true });

/** Each gives `<status> <address that answered>`, or the reason why there was no answer. */
const senders = {
  async egress(url: string): Promise<string> {
    const outcome = await egress.post({
      url,
      headers: { "content-type": "text/plain" },
      body: Buffer.from("hello"),
      deadlineMs: 5_000,
    });
    return outcome.kind === "answered"
      ? `${outcome.status} ${outcome.body.toString()}`
      : outcome.why;
  },
  /** What a program does that knows nothing of all this. */
  async fetch(url: string): Promise<string> {
    try {
      const signal = AbortSignal.timeout(1_500);
      const answer = await fetch(url, { method: "POST", body: "hello", signal });
      return `${answer.status} ${await answer.text()}`;
    } catch {
      return "failed";
    }
  },
  /** What a program does that checks the address, and then lets the name be looked up again. */
  async "check, then fetch"(url: string, allowed: string[]): Promise<string> {
    const found = await lookup(new URL(url).hostname, { all: true }).catch(() => []);
    const isFine = found.every(({ address }) => allowed.includes(address));
    return found.length > 0 && isFine ? senders.fetch(url) : "refused";
  },
};

process.on("message", ({ by, urls, allowed }: Sending) => {
  const outcomes: string[] = [];
  const waiting = [...urls.entries()];
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      outcomes[next[0]] = await senders[by](next[1], allowed);
    }
  }
  void Promise.all(Array.from({ length: AT_ONCE }, work)).then(() => process.send?.(outcomes));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
