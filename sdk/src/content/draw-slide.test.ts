import type { Slide, SlideToken } from "@svc/contract/types";
import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { drawSlide } from "./draw-slide.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

async function drawn(slide: Slide, isDark = false): Promise<FakeElement> {
  const addressOf = (file: string): string => `https://a/files/${file}`;
  const words = en.content;
  const place = { name: "The content's title", addressOf, isDark, words, onNext: () => {} };
  return (await drawSlide(slide, place)) as unknown as FakeElement;
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
  async (slide) => {
    const { all, textContent } = await drawn(slide);
    expect(all.filter(({ tagName }) => tagName === "H3")).toHaveLength(1);
    const given = textsOf({ ...slide, kind: undefined });
    expect(given.length).toBeGreaterThan(1);
    for (const text of given) expect(textContent).toContain(text.replaceAll("*", ""));
  },
);

test("a slide without a title has the content's", async () => {
  expect((await drawn(SLIDES[3]!)).querySelector("h3")!.textContent).toBe("The content's title");
  expect((await drawn(SLIDES[0]!)).textContent).not.toContain("The content's title");
});

test("each cell of a table names its column for narrow stages, and stays a cell", async () => {
  const table = await drawn(SLIDES[5]!);
  const labels = table.all.filter(({ className }) => className === "label");
  expect(labels.map(({ textContent }) => textContent)).toEqual(["Price"]);
  const roles = table.all.flatMap(({ attributes }) => attributes["role"] ?? []);
  expect(roles.filter((role) => role === "cell")).toHaveLength(2);
});

test("code can be copied as it was written, and is selected where there is no clipboard", async () => {
  const lines: SlideToken[][] = [[["const", "keyword"], [" a"]], [["b"]]];
  const code = await drawn({ kind: "code", language: "js", lines, marked: [1] });
  const [copy] = code.all.filter(({ tagName }) => tagName === "BUTTON");
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  copy!.onclick!();
  await vi.waitFor(() => expect(copy!.textContent).toBe("Copied"));
  expect(writeText).toHaveBeenCalledWith("const a\nb");
  const selectAllChildren = vi.fn<(node: unknown) => void>();
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("getSelection", () => ({ selectAllChildren }));
  copy!.onclick!();
  await vi.waitFor(() => expect(selectAllChildren).toHaveBeenCalledWith(code.querySelector("pre")));
});

test("a dark call shows the dark picture, with the places of its callouts", async () => {
  const light = { file: "1".repeat(64) };
  const dark = { file: "2".repeat(64), min_width: 640 };
  const callouts = [{ x: 52, y: 17, title: "Crews" }];
  const sources: string[] = [];
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const made = fakeDocument() as { createElement: (tag: string) => FakeElement };
  vi.stubGlobal("document", {
    ...made,
    createElement(tag: string) {
      const picture = made.createElement(tag);
      Object.defineProperty(picture, "src", {
        set(address: string) {
          sources.push(address);
        },
      });
      return Object.assign(picture, {
        addEventListener: (_: string, listener: () => void) => setTimeout(listener),
      });
    },
  });
  const slide: Slide = { kind: "screenshot", image: light, dark: dark, callouts };
  expect((await drawn(slide)).textContent).toContain("Crews");
  await drawn(slide, true);
  expect(sources).toEqual([`https://a/files/${light.file}`, `https://a/files/${dark.file}`]);
});
