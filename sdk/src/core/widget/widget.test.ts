import { afterEach, expect, test, vi } from "vitest";
import { createWidget } from "./widget.ts";

vi.hoisted(() => Object.assign(globalThis, { PAGE_WORDS: {} }));

afterEach(() => {
  vi.unstubAllGlobals();
});

test("calls by code neither write nor erase that the visitor collapsed the widget", () => {
  const storage = { setItem: vi.fn<() => void>(), removeItem: vi.fn<() => void>() };
  vi.stubGlobal("localStorage", storage);
  const widget = createWidget({
    start() {},
    loadForm: async () => {},
    prepare() {},
    dress: async () => undefined,
  });
  widget.collapse();
  widget.expand();
  expect(storage.setItem).not.toHaveBeenCalled();
  expect(storage.removeItem).not.toHaveBeenCalled();
});
