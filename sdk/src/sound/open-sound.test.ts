import { afterEach, expect, test, vi } from "vitest";
import { openSound, outputLatencySecs } from "./open-sound.ts";

afterEach(() => vi.unstubAllGlobals());

// V6
test("a page that is not secure is asked for neither a microphone nor a worklet", async () => {
  vi.stubGlobal("isSecureContext", false);
  await expect(openSound({} as AudioContext)).rejects.toThrow("insecure");
});

afterEach(() => vi.unstubAllGlobals());

function latencyIn(userAgent: string, context: object): number {
  vi.stubGlobal("navigator", { userAgent });
  return outputLatencySecs(context as AudioContext);
}

test("Firefox is never asked: its page may freeze", () => {
  const context = {
    get outputLatency(): number {
      throw new Error("the page freezes");
    },
  };
  expect(latencyIn("Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0", context)).toBe(0.04);
});

test("others say it themselves, or nothing", () => {
  const chrome = "Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";
  expect(latencyIn(chrome, { outputLatency: 0.1 })).toBe(0.1);
  expect(latencyIn(chrome, {})).toBe(0);
});
