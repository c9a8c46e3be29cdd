import { afterEach, expect, test, vi } from "vitest";
import type { Texts } from "../call/call-options.ts";
import type { Frame } from "../call/frame.ts";
import { STORED_CALL_KEY } from "../call/keep-call.ts";
import type { StoredCall } from "../call/keep-call.ts";
import { takeUp } from "./resume-call.ts";

afterEach(() => vi.unstubAllGlobals());

const TEXTS = {
  strings: {},
  later: async () => ({ microphone: { talk_again: "Go on by voice" } }),
} as unknown as Texts;

/** A page whose tab was in a call a moment ago. */
function arrive(
  left: Partial<StoredCall> | null,
  { permission = "granted", textsIn = async () => TEXTS } = {},
) {
  const call = left && { agent: "agent_aa1", language: "en", at: Date.now(), ...left };
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => (key === STORED_CALL_KEY && call ? JSON.stringify(call) : null),
  });
  vi.stubGlobal("navigator", { permissions: { query: async () => ({ state: permission }) } });
  vi.stubGlobal(
    "AudioContext",
    class {
      state = "running";
      async resume(): Promise<void> {}
    },
  );
  const release = vi.fn<() => void>();
  const start = vi.fn<(context: AudioContext) => void>();
  const taken = takeUp({
    agent: "agent_aa1",
    voice: { start },
    takeOnlyCall: async () => release,
    textsIn,
    loadDocked: async () => ({ CARDS_STYLE: "small" }),
  });
  return { taken, release, start };
}

test("goes on by voice where the microphone is still allowed", async () => {
  const { taken, start, release } = arrive({ talking: true });
  expect((await taken)?.askForTap).toBeUndefined();
  expect(start).toHaveBeenCalledOnce();
  expect(release).not.toHaveBeenCalled();
});

test("where the browser would have to ask, the button says it in words until it is pressed", async () => {
  const { taken, start } = arrive({ talking: true }, { permission: "prompt" });
  const words: string[] = [];
  const button = Object.assign(new EventTarget(), {
    className: "icon start-talking",
    title: "Talk",
    ariaLabel: "Talk",
    style: { cssText: "" },
    parentElement: { style: { flexWrap: "" } },
    append: (text: string) => void words.push(text),
    lastChild: { remove: () => void words.pop() },
  });
  (await taken)!.askForTap!(button as unknown as HTMLElement);
  expect(start).not.toHaveBeenCalled();
  expect(words).toEqual(["Go on by voice"]);
  expect(button).toMatchObject({ className: "primary tap", ariaLabel: "Go on by voice" });
  button.dispatchEvent(new Event("click"));
  expect(words).toEqual([]);
  expect(button).toMatchObject({
    className: "icon start-talking",
    title: "Talk",
    ariaLabel: "Talk",
    style: { cssText: "" },
    parentElement: { style: { flexWrap: "" } },
  });
});

test("a call that was small is made small again, with the style for it, and leaves the keyboard to the page", async () => {
  const done: string[] = [];
  const frame = {
    addStyle: (css: string) => done.push(css),
    minimize: () => done.push("minimize"),
  };
  const focused = { blur: () => done.push("blur") };
  vi.stubGlobal("document", { activeElement: { shadowRoot: { activeElement: focused } } });
  const { taken } = arrive({ minimized: true });
  (await taken)!.dock!(frame as unknown as Frame);
  expect(done).toEqual(["small", "minimize", "blur"]);
  expect((await arrive({ minimized: false }).taken)!.dock).toBeUndefined();
});

test.each([
  ["there is none", null, {}],
  ["it is another agent's", { agent: "agent_bb2" }, {}],
  ["the server has given it up", { at: Date.now() - 61_000 }, {}],
  ["its texts cannot be loaded", {}, { textsIn: () => Promise.reject(new Error("offline")) }],
])("takes no call up and keeps none out when %s", async (_, left, options) => {
  const { taken, release } = arrive(left, options);
  expect(await taken).toBeUndefined();
  expect(release).toHaveBeenCalledOnce();
});
