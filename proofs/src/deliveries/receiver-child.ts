import { startWebhookReceiver } from "@svc/rehearsal";
import type { WebhookReceiverOptions } from "@svc/rehearsal";

/** `node receiver-child.ts <options>`: says where it is, and what has come whenever it is asked. */
const receiver = await startWebhookReceiver(JSON.parse(process.argv[2]!) as WebhookReceiverOptions);
process.on("message", () => process.send!(receiver.counts()));
process.on("disconnect", () => process.exit());
process.send!(receiver.url);
