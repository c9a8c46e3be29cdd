import type { LiveShown } from "@svc/contract/types";
import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import { element } from "../core/element.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import type { Frame } from "./frame.ts";
import { loadWorded } from "./load-texts.ts";
import { createStage } from "./stage.ts";

vi.mock("./load-texts.ts", () => ({ loadWorded: vi.fn<() => unknown>() }));
vi.mock("./load-chunk.ts", () => ({ loadChunk: async () => ({ stageSlides }) }));

/** Which of what was shown is drawn, and how often that was asked for. */
const drawn: string[][] = [];
const stageSlides = () => ({
  show: (seen: LiveShown[]) => void drawn.push(seen.map(({ id }) => id)),
});

const slide = (id: string): LiveShown => ({ id, title: id, kind: "image", url: "https://a/b" });

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function openStage(): {
  show: (content: LiveShown) => void;
  body: FakeElement;
  onFirst: () => void;
} {
  const frame = { addStyle: () => {} } as unknown as Frame;
  const onFirst = vi.fn<() => void>();
  const texts = { strings: en.call, later: async () => en };
  const stage = createStage({ frame, texts }, element("span"), onFirst);
  const all = (stage.element as unknown as FakeElement).all;
  return { show: stage.show, body: all.find(({ className }) => className === "slide")!, onFirst };
}

test("where the chunk that draws slides cannot be loaded, the stage says so, and all are shown once it can", async () => {
  vi.mocked(loadWorded).mockRejectedValueOnce(new Error("away"));
  const { show, body, onFirst } = openStage();
  show(slide("plans"));
  await vi.waitFor(() => expect(body.textContent).toBe(en.call.content_failed));
  vi.mocked(loadWorded).mockResolvedValue([{}, en] as never);
  show(slide("prices"));
  await vi.waitFor(() => expect(drawn).toEqual([["plans", "prices"]]));
  expect(onFirst).toHaveBeenCalledOnce();
});
