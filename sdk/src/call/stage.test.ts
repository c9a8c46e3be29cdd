import type { LiveShown } from "@svc/contract/types";
import { beforeEach, expect, test, vi } from "vitest";
import { element } from "../core/element.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { strings } from "../strings/en.ts";
import { loadChunk } from "./load-chunk.ts";
import { createStage } from "./stage.ts";

vi.mock("./load-chunk.ts", () => ({ loadChunk: vi.fn<() => unknown>() }));

const slide = (id: string): LiveShown => ({ id, title: id, kind: "image", url: "https://a/b" });

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function openStage(): { show: (content: LiveShown) => void; body: FakeElement } {
  const stage = createStage(strings, element("span"), () => {});
  const all = (stage.element as unknown as FakeElement).all;
  return { show: stage.show, body: all.find(({ className }) => className === "slide")! };
}

test.each([
  ["the chunk that draws it", () => Promise.reject(new Error("away"))],
  [
    "what it shows",
    () => Promise.resolve({ renderContent: () => Promise.reject(new Error("404")) }),
  ],
])("a slide says so where %s cannot be loaded", async (_, load) => {
  vi.mocked(loadChunk).mockImplementation(load as never);
  const { show, body } = openStage();
  show(slide("plans"));
  await vi.waitFor(() => expect(body.textContent).toBe(strings.contentFailed));
});

test("a slide that comes late does not cover the one after it", async () => {
  const late = Promise.withResolvers<HTMLElement>();
  const renderContent = ({ id }: LiveShown): Promise<HTMLElement> =>
    id === "late" ? late.promise : Promise.resolve(element("p", {}, id));
  vi.mocked(loadChunk).mockResolvedValue({ renderContent } as never);
  const { show, body } = openStage();
  show(slide("late"));
  show(slide("soon"));
  await vi.waitFor(() => expect(body.textContent).toBe("soon"));
  late.resolve(element("p", {}, "late"));
  // All that waits for it has run by then.
  await new Promise((go) => setTimeout(go));
  expect(body.textContent).toBe("soon");
});
