import { fork } from "node:child_process";
import { once } from "node:events";
import { startWebhookReceiver } from "@svc/rehearsal";
import type { ReceiverCounts, WebhookReceiverOptions } from "@svc/rehearsal";

/** A receiver in a process of its own, so that its requests cost no time of the claim's process. */
export interface ReceiverProcess {
  url: string;
  counts(): Promise<ReceiverCounts>;
  stop(): void;
}

export async function startReceiverProcess(
  options: WebhookReceiverOptions = {},
): Promise<ReceiverProcess> {
  const child = fork(import.meta.filename, [JSON.stringify(options)]);
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

if (import.meta.main) {
  const options = JSON.parse(process.argv[2]!) as WebhookReceiverOptions;
  const receiver = await startWebhookReceiver(options);
  process.on("message", () => process.send!(receiver.counts()));
  process.on("disconnect", () => process.exit());
  process.send!(receiver.url);
}
