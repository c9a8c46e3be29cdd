import { afterEach, expect, test, vi } from "vitest";
import { browserOf, problemOf } from "./microphone-problem.ts";
import type { BrowserName, MicrophoneProblem } from "./microphone-problem.ts";

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

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15";

// V6
test.each<[browser: BrowserName, userAgent: string]>([
  ["chrome", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
  ["chrome", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`],
  ["chrome_phone", `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/141.0 Mobile Safari/537.36`],
  ["firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["safari", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1`],
  ["safari_phone", `${IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`],
  ["other", `${IPHONE} (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1`],
  ["other", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  ["other", ""],
])("the help is for %s when the browser says %s", (browser, userAgent) => {
  expect(browserOf(userAgent)).toBe(browser);
});
