import type { LiveShown } from "@svc/contract/types";
import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import { element } from "../core/element.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import type { Frame } from "./frame.ts";
import { createStage } from "./stage.ts";

vi.mock("./load-chunk.ts", () => ({ loadChunk: () => loadChunk() }));

/** What is drawn, and what was to be shown by then. */
const drawn: string[][] = [];
const createShows = (_: unknown, __: unknown, seen: LiveShown[]) => ({
  take: async ({ content: { id } }: { content: LiveShown }) =>
    void drawn.push([id, ...seen.map((one) => one.id)]),
});
const loadChunk = vi.fn<() => Promise<object>>(async () => ({ createShows }));

const slide = (id: string): LiveShown => ({ id, title: id, kind: "image", url: "https://a/b" });

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

test("where the chunk that draws slides cannot be loaded, the stage says so, and all are shown once it can", async () => {
  loadChunk.mockRejectedValueOnce(new Error("away"));
  const texts = { strings: en.call, later: async () => en };
  const face = element("span", {}, "face");
  const stage = createStage({ frame: {} as Frame, texts }, face, () => {});
  const all = (stage.element as unknown as FakeElement).all;
  const body = all.find(({ className }) => className === "slide")!;
  stage.take({ content: slide("plans") });
  await vi.waitFor(() => expect(body.textContent).toContain(en.call.content_failed));
  expect(body.textContent).toContain("face");
  stage.take({ content: slide("prices") });
  await vi.waitFor(() => expect(drawn).toEqual([["prices", "plans", "prices"]]));
});
