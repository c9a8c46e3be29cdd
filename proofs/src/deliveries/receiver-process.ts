import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ReceiverCounts, WebhookReceiverOptions } from "@svc/rehearsal";

/** A receiver in a process of its own, so that what comes to it costs nobody else's time. */
export interface ReceiverProcess {
  url: string;
  counts(): Promise<ReceiverCounts>;
  stop(): void;
}

export async function startReceiverProcess(
  options: WebhookReceiverOptions,
): Promise<ReceiverProcess> {
  const script = fileURLToPath(new URL("receiver-child.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(options)]);
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    counts: async () => {
      child.send("counts");
      const [counts] = (await once(child, "message")) as [ReceiverCounts];
      return counts;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}
