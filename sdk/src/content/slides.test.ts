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

function openSlides(
  words = en.content,
  onStep: (id: string, at: number) => void = () => {},
): {
  show: (content: LiveShown) => void;
  stage: FakeElement;
  body: FakeElement;
} {
  const body = element("div", { className: "slide" });
  const stage = element("div", {}, body) as unknown as FakeElement;
  const { show } = createSlides(body, words, "It failed.", onStep);
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

test("a visitor steps through a tour, and beyond it to the slides around it", async () => {
  vi.mocked(renderContent).mockImplementation(({ id, step }) =>
    Promise.resolve(element("p", {}, `${id} ${step?.at ?? ""}`)),
  );
  const steps: string[] = [];
  const { show, stage, body } = openSlides(en.content, (id, at) => steps.push(`${id}/${at}`));
  const tour = (at: number): LiveShown => ({ ...slide("tour"), kind: "tour", step: { at, of: 2 } });
  const press = (name: string): void =>
    stage.all.find(({ attributes }) => attributes["aria-label"] === name)!.onclick!();
  show(slide("one"));
  show(tour(1));
  await vi.waitFor(() => expect(body.textContent).toBe("tour 1"));
  expect(stage.textContent).toContain("1 / 2");
  press("Next");
  await vi.waitFor(() => expect(body.textContent).toBe("tour 2"));
  press("Previous");
  press("Previous");
  await vi.waitFor(() => expect(body.textContent).toBe("one "));
  expect(steps).toEqual(["tour/2", "tour/1"]);
});

test("a step that comes back from the server is not drawn again", async () => {
  vi.mocked(renderContent).mockReset();
  vi.mocked(renderContent).mockImplementation(async () => element("p"));
  const { show } = openSlides();
  const tour = (at: number, url: string): LiveShown => ({
    ...slide("tour"),
    kind: "tour",
    slide_url: url,
    step: { at, of: 2 },
  });
  for (const content of [tour(1, "en"), tour(1, "en"), tour(2, "en"), tour(2, "de")]) show(content);
  const drawn = vi
    .mocked(renderContent)
    .mock.calls.map(([one]) => `${one.slide_url} ${one.step?.at}`);
  expect(drawn).toEqual(["en 1", "en 2", "de 2"]);
});
