import { parseArgs } from "node:util";
import { faultFlags, wholeNumber } from "./flags.ts";
import type { LanguageModelOptions } from "./language-model/language-model.ts";
import { faultList } from "./language-model/fault.ts";

export const USAGE = `node rehearsal/src/main.ts              a language model on a free port
  --port 8090                           on this one
  --delay-ms 300                        waits before every answer
  --instant                             streams at once, not at the pace of a real model
  --key secret                          takes no other API key
  --fault prose                         switches a fault on; may be repeated
  --fault rate_limit,share=0.1,model=a  the same, with its settings`;

/** As a hosted model of the faster kind speaks. */
const PACE = { firstTokenMs: 250, tokensPerSec: 30 };

/** Undefined when help was asked for. */
export function readOptions(args: string[]): LanguageModelOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      "delay-ms": { type: "string" },
      instant: { type: "boolean", default: false },
      key: { type: "string" },
      fault: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    ...(values.port !== undefined && { port: wholeNumber("--port", values.port, 65_535) }),
    ...(values["delay-ms"] !== undefined && {
      delayMs: wholeNumber("--delay-ms", values["delay-ms"], 600_000),
    }),
    ...(!values.instant && { pace: PACE }),
    ...(values.key !== undefined && { apiKey: values.key }),
    faults: faultList(faultFlags(values.fault, ["model"]), "--fault"),
  };
}
