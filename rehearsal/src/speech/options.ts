import { parseArgs } from "node:util";
import { faultFlags, wholeNumber } from "../flags.ts";
import { oneOf } from "../shape.ts";
import { speechFaultList } from "./fault.ts";
import type { SpeechOptions } from "./speech.ts";

export const SPEECH_USAGE = `node rehearsal/src/main.ts speech       ears and a voice on a free port
  --port 8092                           on this one
  --ears scripted                       hear what --hears says, not what is said
  --hears "What does it cost?"          the next utterance; may be repeated
  --voice tone                          beeps, which cost nothing
  --delay-ms 300                        from a text to its first sound
  --endpointing-ms 250                  quiet that ends an utterance
  --speed 4                             how many times faster than it is spoken sound leaves
  --key secret                          takes no other API key
  --fault deaf                          switches a fault on; may be repeated
  --fault cut_sentence,service=cartesia,times=1  the same, with its settings`;

/** As a process it hears and speaks in earnest. Undefined when help was asked for. */
export function readSpeechOptions(
  args: string[],
): (SpeechOptions & { hears: string[] }) | undefined {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      ears: { type: "string", default: "model" },
      hears: { type: "string", multiple: true, default: [] },
      voice: { type: "string", default: "model" },
      "delay-ms": { type: "string" },
      "endpointing-ms": { type: "string" },
      speed: { type: "string" },
      key: { type: "string" },
      fault: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    ...(values.port !== undefined && { port: wholeNumber("--port", values.port, 65_535) }),
    ears: oneOf("model", "scripted")(values.ears, "--ears"),
    hears: values.hears,
    voice: oneOf("model", "tone")(values.voice, "--voice"),
    ...(values["delay-ms"] !== undefined && {
      delayMs: wholeNumber("--delay-ms", values["delay-ms"], 600_000),
    }),
    ...(values["endpointing-ms"] !== undefined && {
      endpointingMs: wholeNumber("--endpointing-ms", values["endpointing-ms"], 600_000),
    }),
    ...(values.speed !== undefined && { speed: wholeNumber("--speed", values.speed, 1_000) }),
    ...(values.key !== undefined && { apiKey: values.key }),
    faults: speechFaultList(faultFlags(values.fault, ["service"]), "--fault"),
  };
}
