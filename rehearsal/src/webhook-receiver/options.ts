import { parseArgs } from "node:util";
import { faultFlags, wholeNumber } from "../flags.ts";
import { faultList } from "./fault.ts";
import type { WebhookReceiverOptions } from "./webhook-receiver.ts";

export const RECEIVER_USAGE = `node rehearsal/src/main.ts receiver     a webhook receiver on a free port
  --port 8091                           on this one
  --tls-port 8443                       takes webhooks over TLS too, on this port; 0 for a free one
  --secret whsec_…                      checks signatures with it; may be repeated
  --fault silent                        switches a fault on; may be repeated
  --fault late,afterMs=10100,share=0.1  the same, with its settings`;

/** Undefined when help was asked for. */
export function readReceiverOptions(args: string[]): WebhookReceiverOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      "tls-port": { type: "string" },
      secret: { type: "string", multiple: true, default: [] },
      fault: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    ...(values.port !== undefined && { port: wholeNumber("--port", values.port, 65_535) }),
    ...(values["tls-port"] !== undefined && {
      tls: { port: wholeNumber("--tls-port", values["tls-port"], 65_535) },
    }),
    secrets: values.secret,
    faults: faultList(faultFlags(values.fault, ["path"]), "--fault"),
  };
}
