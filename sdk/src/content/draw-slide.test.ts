import type { Slide } from "@svc/contract/types";
import { beforeEach, expect, test, vi } from "vitest";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { drawSlide } from "./draw-slide.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function drawn(slide: Slide): FakeElement {
  return drawSlide(slide, "The content's title") as unknown as FakeElement;
}

const SLIDES: Slide[] = [
  { kind: "title", title: "Every crew", lead: "At nine." },
  {
    kind: "number",
    figure: "38",
    unit: "min",
    lead: "less",
    bars: [{ label: "A", value: "2", share: 1 }],
  },
  { kind: "quote", quote: "We **stopped** calling.", name: "Mara Köhler", role: "Head" },
  { kind: "steps", steps: [{ title: "A job", text: "By phone" }, { title: "Done" }] },
  {
    kind: "comparison",
    title: "A",
    sides: [
      { title: "B", points: ["b"] },
      { title: "C", points: ["c"] },
    ],
  },
  {
    kind: "table",
    head: ["Plan", "Price"],
    rows: [{ cells: ["Growth", "2"], isMarked: true }],
    figures: [1],
  },
];

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test.each(SLIDES)(
  "a slide of kind $kind has one title, and says all that it was given",
  (slide) => {
    const { all, textContent } = drawn(slide);
    expect(all.filter(({ tagName }) => tagName === "H3")).toHaveLength(1);
    const given = textsOf({ ...slide, kind: undefined });
    expect(given.length).toBeGreaterThan(1);
    for (const text of given) expect(textContent).toContain(text.replaceAll("*", ""));
  },
);

test("a slide without a title has the content's", () => {
  expect(drawn(SLIDES[3]!).querySelector("h3")!.textContent).toBe("The content's title");
  expect(drawn(SLIDES[0]!).textContent).not.toContain("The content's title");
});

test("each cell of a table names its column for narrow stages, and stays a cell", () => {
  const table = drawn(SLIDES[5]!);
  const labels = table.all.filter(({ className }) => className === "label");
  expect(labels.map(({ textContent }) => textContent)).toEqual(["Price"]);
  const roles = table.all.flatMap(({ attributes }) => attributes["role"] ?? []);
  expect(roles.filter((role) => role === "cell")).toHaveLength(2);
});
