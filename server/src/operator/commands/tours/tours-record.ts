import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { AppError } from "#platform";
import * as schemas from "@svc/contract/schemas";
import type { TourStep, TourText } from "@svc/contract/types";
import { stringify } from "yaml";
import * as z from "zod";
import { folderOf } from "../../arguments/parse-arguments.ts";
import { BROWSER, openChromium } from "../../chromium.ts";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { table } from "../../terminal/terminal.ts";
import { readRecording } from "../../tour-recorder/read-recording.ts";
import { recordTour } from "../../tour-recorder/record-tour.ts";
import type { RecordedTour } from "../../tour-recorder/record-tour.ts";

const RecordOutput: z.ZodType<{ folder: string; steps: TourStep[] }> = z.strictObject({
  folder: z.string(),
  steps: z.array(schemas.TourStep).describe("as in tour.yaml"),
});

const toursRecord = defineCommand({
  name: "tours record",
  summary:
    "Record a tour of your product with a local Chromium: pictures, boxes and drafted captions",
  arguments: [
    { name: "steps", summary: "the file that says what to do, such as booking.yaml" },
    { name: "dir", summary: "the folder to write, such as agents/guide/content/booking" },
  ],
  options: [{ flags: "--replace", summary: "replace the tour in that folder" }, BROWSER],
  examples: [
    [
      "svc tours record booking.yaml agents/guide/content/booking",
      "writes tour.yaml and its pictures there",
    ],
  ],
  output: RecordOutput,
  run: async (operator, input) => {
    const typed = given(input, "steps");
    const [at, folder] = folderOf(operator, input);
    if (existsSync(join(at, "tour.yaml")) && input.options["replace"] !== true)
      throw new AppError("conflict", {
        what: `${folder} has a tour already.`,
        why: "Its captions may have been written by hand.",
        fix: "Name another folder, or write the captions into the file with the steps and use --replace.",
      });
    const recording = await readRecording(resolve(operator.directory, typed), typed);
    const chromium = await openChromium(optional(input, "browser"));
    try {
      const tour = await recordTour(chromium, recording, (done) =>
        operator.progress(done, recording.steps.length, "steps recorded"),
      );
      await writeTour(at, tour);
      return { folder, steps: tour.steps };
    } finally {
      await chromium.close();
    }
  },
  render: ({ folder, steps }, terminal) => {
    const rows = table(terminal, steps, [
      { title: "picture", cell: ({ picture }) => picture },
      { title: "caption", cell: ({ caption }) => firstText(caption) },
    ]);
    const id = basename(folder).replaceAll(/[^a-z0-9]+/g, "_");
    const [, inAgent = `${basename(folder)}/tour.yaml`] =
      /(content\/.*)$/.exec(`${folder}/tour.yaml`) ?? [];
    const entry = [
      `  - id: ${id}`,
      `    title: What visitors read above it`,
      `    kind: tour`,
      `    file: ${inAgent}`,
      `    show_when: When the agent should show it.`,
    ];
    return [
      rows,
      "",
      `${folder}/tour.yaml is written. Add it to agent.yaml:`,
      "",
      "content:",
      ...entry,
    ].join("\n");
  },
});

/** Nothing is written unless all of it is valid. Pictures of an older recording are removed. */
async function writeTour(at: string, { steps, pictures }: RecordedTour): Promise<void> {
  const file = schemas.TourFile.parse({ steps });
  await mkdir(at, { recursive: true });
  for (const name of await readdir(at)) if (/^\d+\.png$/.test(name)) await rm(join(at, name));
  for (const [index, picture] of pictures.entries())
    await writeFile(join(at, steps[index]!.picture), picture);
  await writeFile(join(at, "tour.yaml"), stringify(file, { lineWidth: 100 }));
}

function firstText(text: TourText): string {
  return typeof text === "string" ? text : (Object.values(text)[0] ?? "");
}

export const tourCommands: Command[] = [toursRecord];
