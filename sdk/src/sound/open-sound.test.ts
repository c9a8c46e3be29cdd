import { afterEach, expect, test, vi } from "vitest";
import { openSound } from "./open-sound.ts";

afterEach(() => vi.unstubAllGlobals());

// V6
test("a page that is not secure is asked for neither a microphone nor a worklet", async () => {
  vi.stubGlobal("isSecureContext", false);
  await expect(openSound({} as AudioContext)).rejects.toThrow("insecure");
});
