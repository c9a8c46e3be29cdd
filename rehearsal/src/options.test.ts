import { expect, test } from "vitest";
import {
  readMailOptions,
  readModelOptions,
  readReceiverOptions,
  readSpeechOptions,
} from "./options.ts";
import { startMailCatcher } from "./mail-catcher/mail-catcher.ts";
import { startSpeech } from "./speech/speech.ts";
import { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";

const words = (line: string): string[] => line.split(" ");

test("flags become options", () => {
  const pace = { firstTokenMs: 250, tokensPerSec: 30 };
  expect(readModelOptions(words("--port 8090"))).toEqual({ port: 8090, pace });
  expect(readModelOptions(["--instant"])).toEqual({});
  expect(readSpeechOptions([])).toEqual({ ears: "model", voice: "model" });
  const scripted = readSpeechOptions(words("--port 8092 --ears scripted --voice tone"));
  expect(scripted).toEqual({ port: 8092, ears: "scripted", voice: "tone" });
  const secrets = readReceiverOptions(words("--port 0 --secret a --secret b"));
  expect(secrets).toEqual({ port: 0, secrets: ["a", "b"] });
  const ports = readMailOptions(words("--port 0 --smtp-port 1025 --dns-port 1053"));
  expect(ports).toEqual({ port: 0, smtpPort: 1025, dnsPort: 1053 });
});

test.each([
  ["--port=x", '--port takes a whole number up to 65535, not "x"'],
  ["--ears=cat", '--ears takes one of model, scripted, not "cat"'],
  ["--what", "Unknown option '--what'"],
])("%s is explained", (flag, why) => {
  expect(() => readSpeechOptions([flag])).toThrow(why);
});

test.each([
  [() => startSpeech({ faults: [{ kind: "late_finals" }] }), "late_finals needs afterMs"],
  [() => startSpeech({ faults: [{ kind: "refuse", times: 1 }] }), "knows no share, times"],
  [() => startWebhookReceiver({ faults: [{ kind: "late" }] }), "faults[0]: late needs afterMs"],
  [() => startMailCatcher({ faults: [{ kind: "late" }] }), "faults[0]: late needs afterMs"],
  [
    () => startMailCatcher({ faults: [{ kind: "no_starttls", at: "sender" }] }),
    "shown to connections",
  ],
  [
    () => startMailCatcher({ faults: [{ kind: "cut", at: "greeting", to: "ada@customer.test" }] }),
    "not known that early",
  ],
])("%s is refused, as %s", async (start, why) => {
  await expect(start()).rejects.toThrow(why);
});
