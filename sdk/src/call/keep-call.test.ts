import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepCall, STORED_CALL_KEY } from "./keep-call.ts";
import type { StoredCall } from "./keep-call.ts";

const page = new EventTarget();
const stored = new Map<string, string>();
const CALL = {
  agent: "agent_aa1",
  sessionId: "s1",
  resumeToken: "r",
  liveUrl: "wss://live.example.com",
  language: "en",
  test: false,
  minimized: false,
  talking: true,
};

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("sessionStorage", {
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A call whose surface ends it when it closes, as the real one does. */
function keep() {
  const log: string[] = [];
  const field = { value: "" } as HTMLTextAreaElement;
  const frame = {
    close() {
      log.push(stored.has(STORED_CALL_KEY) ? "closed, and stored before" : "closed");
      kept.forget();
    },
  };
  const kept = keepCall({ frame, composer: { field } }, () => ({
    ...CALL,
    unsent: [
      { type: "typing", seq: 1 },
      { type: "text", text: "Hello", seq: 2 },
    ],
  }));
  return { log, field, frame };
}

function left(): StoredCall | undefined {
  page.dispatchEvent(new Event("pagehide"));
  return JSON.parse(stored.get(STORED_CALL_KEY) ?? "null") ?? undefined;
}

test("a page that is left hands its call over, with what was said and what was being written, and lets go of it", () => {
  const { log, field } = keep();
  field.value = "And als";
  expect(left()).toEqual({
    ...CALL,
    unsent: [{ type: "text", text: "Hello", seq: 2 }],
    draft: "And als",
    at: expect.any(Number),
  });
  expect(log).toEqual(["closed, and stored before"]);
});

test("a call that is over is handed to nobody", () => {
  keep().frame.close();
  expect(left()).toBeUndefined();
});
