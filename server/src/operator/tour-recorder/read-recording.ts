import { readFile } from "node:fs/promises";
import { AgentFileError, explainIssue, locatedYaml } from "#agents";
import { AppError } from "#platform";
import type { TourText } from "@svc/contract/types";
import * as z from "zod";

/** What `svc tours record` is told to do. */
export interface Recording {
  /** The site that paths belong to. */
  url: string;
  /** Of the window, in CSS pixels. */
  size: { width: number; height: number };
  /** Elements that are hidden in every picture. */
  mask: string[];
  steps: RecordingStep[];
  /** The last picture, behind all steps. */
  end: Described;
}

/** What is said of a picture, and which parts of it stand out. */
interface Described {
  title?: TourText | undefined;
  /** Default: a draft. */
  caption?: TourText | undefined;
  /** The element that is drawn large. */
  zoom?: string | undefined;
  callouts?: { at: string; title: TourText; text?: TourText | undefined }[] | undefined;
}

/** One of `goto`, `click`, `type` and `wait`, and what is said of the picture before it. */
export interface RecordingStep extends Described {
  goto?: string | undefined;
  click?: string | undefined;
  /** The field that `text` is typed into. */
  type?: string | undefined;
  text?: string | undefined;
  /** For an element, or for milliseconds. */
  wait?: string | number | undefined;
  /** False: the page is not pictured before this step. */
  picture?: boolean | undefined;
}

const text = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))]);
const selector = z.string().min(1).max(500);

const described = {
  title: text.optional(),
  caption: text.optional(),
  zoom: selector.optional(),
  callouts: z
    .array(z.strictObject({ at: selector, title: text, text: text.optional() }))
    .max(9)
    .optional(),
};

const ACTIONS = ["goto", "click", "type", "wait"] as const;

const Step = z
  .strictObject({
    goto: z.string().min(1).optional(),
    click: selector.optional(),
    type: selector.optional(),
    text: z.string().min(1).max(2_000).optional(),
    wait: z.union([selector, z.int().min(1).max(60_000)]).optional(),
    picture: z.boolean().optional(),
    ...described,
  })
  .superRefine(
    (step, context) => {
      if (ACTIONS.filter((name) => step[name] !== undefined).length !== 1)
        context.addIssue(`A step does one thing. Write one of ${ACTIONS.join(", ")}.`);
      else if ((step.type === undefined) !== (step.text === undefined))
        context.addIssue("`type` names a field, and `text` what is typed there. Write both.");
    },
    { when: ({ issues }) => issues.length === 0 },
  );

const side = z.int().min(320).max(2_000);
const address = "This is no address. Write it whole, from https:// on.";

const RecordingFile: z.ZodType<Recording> = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: address }),
  size: z.strictObject({ width: side, height: side }).default({ width: 1_280, height: 800 }),
  mask: z.array(selector).max(50).default([]),
  steps: z.array(Step).min(1).max(100),
  end: z.strictObject(described).default({}),
});

/** Throws one error with every mistake in the file. */
export async function readRecording(at: string, shown: string): Promise<Recording> {
  const source = await readFile(at, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new AppError("not_found", {
      what: `${shown} cannot be read.`,
      why: error.code === "ENOENT" ? "There is no such file." : `The system says ${error.code}.`,
      fix: "Name the file with the steps to record.",
    });
  });
  const yaml = locatedYaml(source);
  const { data, error } = RecordingFile.safeParse(yaml.value);
  const schema = z.toJSONSchema(RecordingFile, { io: "input" }) as Parameters<
    typeof explainIssue
  >[2];
  const issues = yaml.value === undefined ? [] : (error?.issues ?? []);
  const mistakes = [
    ...yaml.faults.map(({ line, column, message }) => ({ file: shown, line, column, message })),
    ...issues
      .flatMap((issue) => explainIssue(issue, yaml.value, schema))
      .map(({ path, message }) => ({
        file: shown,
        ...yaml.locate(path),
        field: path.map(String).join("."),
        message,
      })),
  ];
  if (mistakes.length > 0 || data === undefined) throw new AgentFileError(shown, mistakes);
  return data;
}
