import { expect, test } from "vitest";
import { readSpeechOptions } from "./options.ts";

test("flags become options", () => {
  const flags =
    "--port 8092 --ears scripted --hears Hello --voice tone --delay-ms 5 --speed 2 --key k --fault deaf,service=deepgram_listen";
  expect(readSpeechOptions(flags.split(" "))).toEqual({
    port: 8092,
    ears: "scripted",
    hears: ["Hello"],
    voice: "tone",
    delayMs: 5,
    speed: 2,
    apiKey: "k",
    faults: [{ kind: "deaf", service: "deepgram_listen" }],
  });
  expect(readSpeechOptions([])).toEqual({ ears: "model", hears: [], voice: "model", faults: [] });
  expect(readSpeechOptions(["--help"])).toBeUndefined();
});

test.each([
  ["--ears=cat", '--ears: expected one of model, scripted, not "cat"'],
  ["--fault=luck", "--fault[0].kind: expected one of"],
  ["--fault=late_finals", "--fault[0]: late_finals needs afterMs"],
  ["--fault=refuse,times=1", "a closed port knows no share, times or service"],
])("%s is explained", (flag, why) => {
  expect(() => readSpeechOptions([flag])).toThrow(why);
});
