import { setTimeout as delay } from "node:timers/promises";
import type { InCall } from "../browsers/in-call.ts";

const WITHIN_MS = 10_000;

/** Types something, and waits until the agent has answered it and waits. */
export async function askInText(call: InCall, text: string): Promise<void> {
  const before = (await call.texts("li.assistant")).length;
  await call.say(text);
  const giveUpAt = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const turns = (await call.texts("li.assistant:not(.partial)")).length;
    const [state] = await call.texts(".state");
    if (turns > before && state === "Your turn") return;
    await delay(50);
  }
  throw new Error(`no answer to "${text}" in ${WITHIN_MS} ms`);
}
