import type { LiveShown } from "@svc/contract/types";
import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import { element } from "../core/element.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { renderContent } from "./render-content.ts";
import { createSlides } from "./slides.ts";

vi.mock("./render-content.ts", () => ({ renderContent: vi.fn<typeof renderContent>() }));

const slide = (id: string): LiveShown => ({ id, title: id, kind: "image", url: "https://a/b" });

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
  vi.stubGlobal("getComputedStyle", () => ({ color: "rgb(20, 24, 31)" }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe(): void {}
    },
  );
});

function openSlides(words = en.content): {
  show: (content: LiveShown) => void;
  stage: FakeElement;
  body: FakeElement;
} {
  const body = element("div", { className: "slide" });
  const stage = element("div", {}, body) as unknown as FakeElement;
  const { show } = createSlides(body, words, "It failed.");
  return { show, stage, body: body as unknown as FakeElement };
}

test("a slide says so where what it shows cannot be loaded", async () => {
  vi.mocked(renderContent).mockRejectedValue(new Error("404"));
  const { show, body } = openSlides();
  show(slide("plans"));
  await vi.waitFor(() => expect(body.textContent).toBe("It failed."));
});

test("a slide that comes late does not cover the one after it", async () => {
  const late = Promise.withResolvers<HTMLElement>();
  vi.mocked(renderContent).mockImplementation(({ id }) =>
    id === "late" ? late.promise : Promise.resolve(element("p", {}, id)),
  );
  const { show, body } = openSlides();
  show(slide("late"));
  show(slide("soon"));
  await vi.waitFor(() => expect(body.textContent).toBe("soon"));
  late.resolve(element("p", {}, "late"));
  // All that waits for it has run by then.
  await new Promise((go) => setTimeout(go));
  expect(body.textContent).toBe("soon");
});

test("what was shown before can be paged back to", async () => {
  vi.mocked(renderContent).mockImplementation(({ id }) => Promise.resolve(element("p", {}, id)));
  const { show, stage, body } = openSlides(de.content);
  show(slide("one"));
  show(slide("two"));
  const previous = stage.all.find(({ attributes }) => attributes["aria-label"] === "Zurück")!;
  previous.onclick!();
  await vi.waitFor(() => expect(body.textContent).toBe("one"));
  expect(stage.textContent).toContain("1 / 2");
});
