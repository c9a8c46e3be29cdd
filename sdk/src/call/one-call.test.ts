import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeOnlyCall } from "./one-call.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function withLocks(request: (name: string, options: LockOptions) => Promise<unknown>): void {
  vi.stubGlobal("navigator", { locks: { request } });
  // The real one is timed by Node itself, and these tests by nobody.
  vi.stubGlobal("AbortSignal", {
    timeout(ms: number) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      return controller.signal;
    },
  });
}

async function taken(): Promise<unknown> {
  const one = takeOnlyCall();
  await vi.runAllTimersAsync();
  return one;
}

test("a call that another tab has is not taken", async () => {
  withLocks(
    (_name, { signal }) =>
      new Promise((_, reject) => {
        signal!.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      }),
  );
  expect(await taken()).toBeUndefined();
});

test("where a browser grants no locks, every tab may have a call", async () => {
  withLocks(async () => {
    throw new DOMException("", "SecurityError");
  });
  expect(await taken()).toBeTypeOf("function");
});
