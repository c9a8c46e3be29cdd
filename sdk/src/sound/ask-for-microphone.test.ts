import { afterEach, expect, test, vi } from "vitest";
import { askForMicrophone } from "./ask-for-microphone.ts";
import type { MicrophoneRung } from "./ask-for-microphone.ts";

interface World {
  /** What the browser rejects with. */
  name: string;
  /** `undefined`: it knows no such permission. */
  permission?: PermissionState;
  forbidden?: boolean;
  /** It has no microphones to ask for. */
  without?: boolean;
}

afterEach(() => vi.unstubAllGlobals());

function stub({ name, permission, forbidden = false, without = false }: World): void {
  const mediaDevices = { getUserMedia: () => Promise.reject(new DOMException("", name)) };
  const permissions = {
    query: () =>
      permission === undefined
        ? Promise.reject(new TypeError("unknown"))
        : Promise.resolve({ state: permission }),
  };
  vi.stubGlobal("navigator", { permissions, ...(without ? {} : { mediaDevices }) });
  vi.stubGlobal("document", { featurePolicy: { allowsFeature: () => !forbidden } });
}

// V6
test.each<[World, MicrophoneRung]>([
  [{ name: "NotAllowedError", permission: "denied" }, "denied"],
  [{ name: "NotAllowedError", permission: "prompt" }, "dismissed"],
  // The system forbids it, though the page may.
  [{ name: "NotAllowedError", permission: "granted" }, "denied"],
  [{ name: "NotAllowedError" }, "denied"],
  [{ name: "NotAllowedError", permission: "denied", forbidden: true }, "policy"],
  [{ name: "NotFoundError" }, "none"],
  [{ name: "OverconstrainedError" }, "none"],
  [{ name: "NotReadableError" }, "busy"],
  [{ name: "AbortError" }, "busy"],
  [{ name: "", without: true }, "none"],
])("%j is told as %s", async (world, rung) => {
  stub(world);
  await expect(askForMicrophone("")).rejects.toMatchObject({ rung });
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
