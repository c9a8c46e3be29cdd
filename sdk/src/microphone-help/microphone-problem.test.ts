import { afterEach, expect, test, vi } from "vitest";
import { problemOf } from "./microphone-problem.ts";
import type { MicrophoneProblem } from "./microphone-problem.ts";

interface World {
  trouble: string;
  /** `undefined`: the browser knows no such permission. */
  permission?: PermissionState;
  isForbidden?: boolean;
  isInsecure?: boolean;
}

afterEach(() => vi.unstubAllGlobals());

function stub({ permission, isForbidden = false, isInsecure = false }: World): void {
  const query = (): Promise<{ state: PermissionState }> =>
    permission === undefined
      ? Promise.reject(new TypeError("unknown"))
      : Promise.resolve({ state: permission });
  vi.stubGlobal("isSecureContext", !isInsecure);
  vi.stubGlobal("navigator", { permissions: { query } });
  vi.stubGlobal("document", { featurePolicy: { allowsFeature: () => !isForbidden } });
}

// V6
test.each<[World, MicrophoneProblem]>([
  [{ trouble: "NotAllowedError", permission: "denied" }, "denied"],
  [{ trouble: "NotAllowedError", permission: "prompt" }, "dismissed"],
  // The system forbids it, though the page may.
  [{ trouble: "NotAllowedError", permission: "granted" }, "denied"],
  [{ trouble: "NotAllowedError" }, "denied"],
  [{ trouble: "NotAllowedError", permission: "denied", isForbidden: true }, "policy"],
  [{ trouble: "NotFoundError" }, "none"],
  [{ trouble: "OverconstrainedError" }, "none"],
  // What a browser without any microphones rejects with.
  [{ trouble: "TypeError" }, "none"],
  [{ trouble: "NotReadableError" }, "busy"],
  [{ trouble: "AbortError" }, "busy"],
  [{ trouble: "removed" }, "removed"],
  [{ trouble: "sound" }, "sound"],
  [{ trouble: "sound", isInsecure: true }, "insecure"],
])("%j is told as %s", async (world, problem) => {
  stub(world);
  expect(await problemOf(world.trouble)).toBe(problem);
});
