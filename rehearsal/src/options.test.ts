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

test("flags become options of a language model", () => {
  const flags = "--port 8090 --fault prose --fault rate_limit,share=0.1,model=a";
  expect(readModelOptions(words(flags))).toEqual({
    port: 8090,
    pace: { firstTokenMs: 250, tokensPerSec: 30 },
    faults: [{ kind: "prose" }, { kind: "rate_limit", share: 0.1, model: "a" }],
  });
  expect(readModelOptions(["--instant"])).toEqual({ faults: [] });
});

test("flags become options of speech, which is a model's unless told", () => {
  const flags = "--port 8092 --ears scripted --voice tone --fault deaf,service=deepgram_listen";
  expect(readSpeechOptions(words(flags))).toEqual({
    port: 8092,
    ears: "scripted",
    voice: "tone",
    faults: [{ kind: "deaf", service: "deepgram_listen" }],
  });
  expect(readSpeechOptions([])).toEqual({ ears: "model", voice: "model", faults: [] });
});

test("flags become options of a receiver", () => {
  const flags =
    "--port 0 --secret a --secret b --fault late,afterMs=10100,share=0.5 --fault silent,path=/slow,times=2";
  expect(readReceiverOptions(words(flags))).toEqual({
    port: 0,
    secrets: ["a", "b"],
    faults: [
      { kind: "late", afterMs: 10_100, share: 0.5 },
      { kind: "silent", path: "/slow", times: 2 },
    ],
  });
});

test("flags become options of a mail catcher", () => {
  const flags = "--port 0 --smtp-port 1025 --fault reply,status=451,at=sender,share=0.5";
  expect(readMailOptions(words(flags))).toEqual({
    port: 0,
    smtpPort: 1025,
    faults: [{ kind: "reply", status: 451, at: "sender", share: 0.5 }],
  });
});

test("whoever asks for help starts nothing", () => {
  const readers = [readModelOptions, readSpeechOptions, readReceiverOptions, readMailOptions];
  for (const read of readers) expect(read(["--help"])).toBeUndefined();
});

test.each([
  ["--port=x", '--port takes a whole number up to 65535, not "x"'],
  ["--ears=cat", '--ears takes one of model, scripted, not "cat"'],
  ["--what", "Unknown option '--what'"],
])("%s is explained", (flag, why) => {
  expect(() => readSpeechOptions([flag])).toThrow(why);
});

test.each([
  [() => startSpeech(readSpeechOptions(["--fault=late_finals"])), "late_finals needs afterMs"],
  [() => startSpeech(readSpeechOptions(["--fault=refuse,times=1"])), "knows no share, times"],
  [() => startWebhookReceiver(readReceiverOptions(["--fault=late"])), "[0]: late needs afterMs"],
  [() => startWebhookReceiver(readReceiverOptions(["--fault=close,share=half"])), "[0].share"],
  [() => startMailCatcher(readMailOptions(["--fault=late"])), "faults[0]: late needs afterMs"],
  [
    () => startMailCatcher(readMailOptions(["--fault=no_starttls,at=sender"])),
    "shown to connections",
  ],
  [
    () => startMailCatcher(readMailOptions(["--fault=cut,at=greeting,to=ada@customer.test"])),
    "not known that early",
  ],
])("%s is refused, as %s", async (start, why) => {
  await expect(start()).rejects.toThrow(why);
});
