import { expect, test } from "vitest";
import type { Chromium } from "../chromium.ts";
import type { FoundElement, Masked } from "./in-page.ts";
import type { Recording, RecordingStep } from "./read-recording.ts";
import { recordTour } from "./record-tour.ts";

const BUTTON: FoundElement = { box: { x: 100, y: 80, width: 50, height: 20 }, name: "New job" };
const PAGE: Masked = { hidden: [1], leaking: [], heading: "Board", secrets: [] };

/** A page on which everything that is looked for is the same button. */
function browserWith(found: FoundElement | "missing" = BUTTON, masked: Masked = PAGE): Chromium {
  const answers: [part: string, answer: unknown][] = [
    ["findElement", found],
    ["mask(", masked],
  ];
  const evaluate = async (expression: string): Promise<unknown> =>
    answers.find(([part]) => expression.includes(`function ${part}`))?.[1];
  return {
    open: async () => {},
    evaluate: evaluate as Chromium["evaluate"],
    look: evaluate as Chromium["look"],
    command: async () => ({ data: Buffer.from("png").toString("base64") }),
    close: async () => {},
  };
}

const recording = (...steps: RecordingStep[]): Recording => ({
  url: "https://a.example",
  size: { width: 1000, height: 800 },
  mask: [".who"],
  steps: [{ goto: "/" }, ...steps],
  end: {},
});

test("what changes the page is pictured before, with its box, and the end", async () => {
  const given = recording(
    { type: "#name", text: "Ada", picture: false },
    { wait: "#late" },
    { click: "#new", zoom: "#form", callouts: [{ at: "#new", title: "Here" }] },
  );
  const { steps, pictures } = await recordTour(browserWith(), given);
  const box = { x: 10, y: 10, width: 5, height: 2.5 };
  expect(steps).toEqual([
    {
      picture: "1.png",
      caption: "Click “New job”.",
      hotspot: box,
      zoom: box,
      callouts: [{ x: 12.5, y: 11.25, title: "Here" }],
    },
    { picture: "2.png", caption: "Board" },
  ]);
  expect(pictures.map(String)).toEqual(["png", "png"]);
});

test("no caption says what is masked", async () => {
  const masked = {
    ...PAGE,
    heading: "Board of Ada Lovelace",
    secrets: ["Ada Lovelace", "New job"],
  };
  const { steps } = await recordTour(browserWith(BUTTON, masked), recording({ click: "#new" }));
  expect(steps.map(({ caption }) => caption)).toEqual(["Click here.", "This is what comes then."]);
});

const OUTSIDE = { ...BUTTON, box: { ...BUTTON.box, y: 900 } };
const REFUSED: [what: string, found: FoundElement | "missing", masked: Masked, why: string][] = [
  ["an element that does not come", "missing", PAGE, "Nothing that can be seen is #new."],
  ["a mask that hides nothing", BUTTON, { ...PAGE, hidden: [0] }, "has an element .who."],
  ["what is masked and stands elsewhere", BUTTON, { ...PAGE, leaking: [".who"] }, "to be read"],
  ["an element outside", OUTSIDE, PAGE, "is outside"],
];

test.for(REFUSED)("%s is refused", async ([, found, masked, why]) => {
  const recorded = recordTour(browserWith(found, masked), recording({ click: "#new" }));
  await expect(recorded).rejects.toThrow(why);
});
