import { afterEach, expect, test, vi } from "vitest";
import { askForMicrophone } from "./ask-for-microphone.ts";

afterEach(() => vi.unstubAllGlobals());

// V6
test("where there is no microphone, the browser's own error is the cause", async () => {
  const cause = new DOMException("", "NotAllowedError");
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: () => Promise.reject(cause) } });
  await expect(askForMicrophone("")).rejects.toMatchObject({ cause });
  // Some browsers inside of apps have no microphones at all.
  vi.stubGlobal("navigator", {});
  await expect(askForMicrophone("")).rejects.toMatchObject({ cause: { name: "TypeError" } });
});

test("a chosen microphone is asked for, with its echo taken out", async () => {
  const getUserMedia = vi.fn<(constraints: MediaStreamConstraints) => Promise<string>>(
    async () => "stream",
  );
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
  expect(await askForMicrophone("desk")).toBe("stream");
  await askForMicrophone("");
  const taken = { echoCancellation: true, noiseSuppression: false, autoGainControl: true };
  expect(getUserMedia.mock.calls).toEqual([
    [{ audio: { ...taken, deviceId: { exact: "desk" } } }],
    [{ audio: taken }],
  ]);
});
