import { beforeEach, expect, test, vi } from "vitest";
import { useKit } from "../kit.ts";
import { KIT } from "../core/kit.ts";
import { pageNotice } from "./page-notice.ts";

vi.mock("./load-chunk.ts", async () => {
  const chunk = await import("../cards-and-endings/hint-at-notice.ts");
  return { loadChunk: async () => chunk };
});

const hint = vi.fn<(text: string) => void>();

beforeEach(() => {
  hint.mockClear();
  useKit({ ...KIT, hint });
});

test.each([["Our own words."], ["  Worte mit Rand "], ["録音されます"], ["x".repeat(4_000)]])(
  "a notice that can be read is shown as it is",
  (given) => {
    expect(pageNotice(given)).toBe(given);
    expect(hint).not.toHaveBeenCalled();
  },
);

test.each([[""], ["   "], ["\n\t\u00a0\u200b"], [5], [0], [true], [false], [null], [[]], [{}]])(
  "%j is no notice: the agent's own is shown, with a hint",
  async (given) => {
    expect(pageNotice(given)).toBeUndefined();
    await vi.waitFor(() => expect(hint).toHaveBeenCalledOnce());
  },
);

test("a notice that the service would refuse as too long is not used", async () => {
  expect(pageNotice("x".repeat(4_001))).toBeUndefined();
  await vi.waitFor(() => expect(hint).toHaveBeenCalled());
  expect(hint.mock.calls[0]![0]).toContain("4,000 characters");
});

test("a page without a notice of its own gets no hint", () => {
  expect(pageNotice(undefined)).toBeUndefined();
  expect(hint).not.toHaveBeenCalled();
});
