import { parseArgs } from "node:util";
import { faultFlags, wholeNumber } from "../flags.ts";
import { faultList } from "./fault.ts";
import type { MailCatcherOptions } from "./mail-catcher.ts";

export const MAIL_USAGE = `node rehearsal/src/main.ts mail         a mail catcher on free ports
  --port 8025                           its inbox on this one
  --smtp-port 1025                      takes mail on this one
  --tls                                 offers STARTTLS
  --fault silent                        switches a fault on; may be repeated
  --fault reply,status=451,share=0.1    the same, with its settings`;

/** Undefined when help was asked for. */
export function readMailOptions(args: string[]): MailCatcherOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      "smtp-port": { type: "string" },
      tls: { type: "boolean", default: false },
      fault: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const smtpPort = values["smtp-port"];
  return {
    ...(values.port !== undefined && { port: wholeNumber("--port", values.port, 65_535) }),
    ...(smtpPort !== undefined && { smtpPort: wholeNumber("--smtp-port", smtpPort, 65_535) }),
    ...(values.tls && { tls: {} }),
    faults: faultList(faultFlags(values.fault, ["at", "to"]), "--fault"),
  };
}
