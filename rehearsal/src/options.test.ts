import { expect, test } from "vitest";
import { readOptions } from "./options.ts";

test("flags become options", () => {
  const flags =
    "--port 8090 --delay-ms 5 --key k --fault prose --fault rate_limit,share=0.1,model=a";
  expect(readOptions(flags.split(" "))).toEqual({
    port: 8090,
    delayMs: 5,
    apiKey: "k",
    pace: { firstTokenMs: 250, tokensPerSec: 30 },
    faults: [{ kind: "prose" }, { kind: "rate_limit", share: 0.1, model: "a" }],
  });
  expect(readOptions(["--instant"])).toEqual({ faults: [] });
  expect(readOptions(["--help"])).toBeUndefined();
});

test.each([
  ["--port=x", '--port takes a whole number up to 65535, not "x"'],
  ["--fault=luck", "--fault[0].kind: expected one of"],
  ["--fault=prose,share=x", "--fault[0].share: expected a number from 0 to 1, not NaN"],
  ["--fault=prose,chance=1", "--fault[0].chance: nothing is known by this name"],
  ["--what", "Unknown option '--what'"],
])("%s is explained", (flag, why) => {
  expect(() => readOptions([flag])).toThrow(why);
});
