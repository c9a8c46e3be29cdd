import { expect, test } from "vitest";
import { readReceiverOptions } from "./options.ts";

test("flags become options", () => {
  const faults = [
    "--fault",
    "late,afterMs=10100,share=0.5",
    "--fault",
    "silent,path=/slow,times=2",
  ];
  const secrets = ["--secret", "a", "--secret", "b"];
  expect(readReceiverOptions(["--port", "0", "--tls-port", "0", ...secrets, ...faults])).toEqual({
    port: 0,
    tls: { port: 0 },
    secrets: ["a", "b"],
    faults: [
      { kind: "late", afterMs: 10_100, share: 0.5 },
      { kind: "silent", path: "/slow", times: 2 },
    ],
  });
});

test("whoever asks for help starts nothing", () => {
  expect(readReceiverOptions(["--help"])).toBeUndefined();
});

test.each([
  [["--port", "http"], "--port takes a whole number up to 65535"],
  [["--fault", "late"], "--fault[0]: late needs afterMs"],
  [["--fault", "close,share=half"], "--fault[0].share"],
])("%j is explained", (flags, why) => {
  expect(() => readReceiverOptions(flags)).toThrow(why);
});
