import type { DropReason, EvaluationFailure } from "#evaluation";
import { Evaluation } from "@svc/contract/schemas";
import type { SessionStatus } from "@svc/contract/types";
import * as z from "zod";
import { facts, heading, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { duration } from "../terminal/times.ts";
import { STATUS_TONE } from "./story-page.ts";

/** One evaluation to read at a glance: what it says, what was left out of it, what it cost. */
export function renderEvaluation(output: OneEvaluation, terminal: Terminal): string {
  const title = heading(terminal, `Session ${output.session_id}`);
  const id = output.session_id;
  switch (output.outcome) {
    case "written":
      return [title, facts(terminal, written(output))].join("\n");
    case "failed":
      return [title, facts(terminal, failed(output))].join("\n");
    case "not_awaited":
      return `${title}\n${wrap(`${REQUEST[output.request]} See it with \`svc sessions show ${id}\`.`, terminal.width, 0)}`;
    case "not_taken":
      return `${title}\n${wrap(`${REQUEST[output.request]} ${NOBODY}`, terminal.width, 0)}`;
  }
}

const REQUEST = {
  requested: "A new evaluation is asked for.",
  joined: "An evaluation is under way already; this one joins it.",
} as const;

const NOBODY =
  "But no pipeline runs that would take it. Start one: `SVC_ROLE=pipeline node server/src/main.ts`, or `npm run dev` in a checkout. The request waits for it.";

type Fact = [name: string, value: string | undefined, tone?: Tone | undefined];

const VERDICT_TONE = {
  qualified: "good",
  disqualified: "quiet",
  not_enough_data: "warn",
} as const;

function written(output: OneEvaluation): Fact[] {
  const said = Evaluation.parse(output.evaluation);
  const questions = Object.values(said.questions ?? {});
  const answered = questions.filter((question) => question.was_answered).length;
  const asked = questions.filter((question) => question.was_asked).length;
  const { status, reasoning = "" } = said.qualification ?? {};
  const many = (list: unknown[] | undefined): string | undefined =>
    list === undefined ? undefined : String(list.length);
  return [
    ["status", output.status, STATUS_TONE[output.status]],
    ["qualification", status, status && VERDICT_TONE[status]],
    ["", reasoning],
    [
      "questions",
      questions.length === 0
        ? undefined
        : `${answered} of ${questions.length} answered, ${asked} asked`,
    ],
    ["insights", Object.keys(said.insights ?? {}).join(", ")],
    ["they asked", many(said.prospect_questions)],
    ["objections", many(said.objections)],
    ["summary", output.summary],
    ...leftOut(output),
    ...bill(output),
  ];
}

function leftOut({ dropped }: OneEvaluation): Fact[] {
  return dropped.map(({ where, why }, index) => [
    index === 0 ? "left out" : "",
    `${where}: ${DROPPED[why as DropReason] ?? why}`,
  ]);
}

const DROPPED: Record<DropReason, string> = {
  malformed: "it has not the form that was asked for",
  no_such_turn: "it names a turn that is not there",
  wrong_speaker: "the turn it names is the other's",
  not_heard: "its quote is not in the turn it names",
  too_short: "its quote is too short to prove it",
  not_shown: "the conversation does not show it",
  repeats_the_rubric: "it would tell the prospect how they are judged",
  unproven: "what it rests on was left out",
};

function failed(output: OneEvaluation): Fact[] {
  const { failure = "" } = output;
  return [
    ["evaluation", `failed: ${FAILED[failure as EvaluationFailure] ?? failure}`, "bad"],
    // A failed re-evaluation leaves the session as it was.
    ["status", output.status === "processed" ? "processed, as before" : output.status],
    ...bill(output),
  ];
}

const FAILED: Record<EvaluationFailure, string> = {
  model_away:
    "no model could be reached. It is taken up again by itself once one answers, for seven days.",
  model_refused: "every model was asked and none would answer.",
  model_output: "what the models answered could not be read.",
  crashed: "the pipeline went down five times while it ran. Look into its log.",
};

function bill(output: OneEvaluation): Fact[] {
  const { version, took_secs: secs, input_tokens: input, output_tokens: out } = output;
  const count = (number = 0): string => number.toLocaleString("en");
  return [
    ["version", `${version}${secs === undefined ? "" : `, after ${duration(secs)}`}`],
    ["model", output.model],
    ["tokens", input === undefined ? undefined : `${count(input)} in, ${count(out)} out`],
    // Without a price it would read as free.
    ["cost", output.cost_micros ? String(output.cost_micros / 1e6) : undefined],
  ];
}

/** The result of one session's evaluation, as `evaluate <session> --json` prints it under `session`. */
export interface OneEvaluation {
  session_id: string;
  request: "requested" | "joined";
  outcome: "written" | "failed" | "not_taken" | "not_awaited";
  version: number;
  status: SessionStatus;
  took_secs?: number;
  model?: string;
  input_tokens?: number;
  output_tokens?: number;
  cost_micros?: number;
  summary?: string;
  evaluation?: Record<string, unknown>;
  dropped: { where: string; why: string }[];
  failure?: string;
}

export const OneEvaluation: z.ZodType<OneEvaluation> = z.strictObject({
  session_id: z.uuid(),
  request: z.enum(["requested", "joined"]).describe("joined: one was under way already"),
  outcome: z
    .enum(["written", "failed", "not_taken", "not_awaited"])
    .describe("not_taken: no pipeline runs; the request waits for one"),
  version: z.int(),
  status: z.enum(["active", "abandoned", "processed", "error"]).describe("The session's"),
  took_secs: z.number().exactOptional(),
  model: z.string().exactOptional(),
  input_tokens: z.int().exactOptional(),
  output_tokens: z.int().exactOptional(),
  cost_micros: z.int().exactOptional().describe("In millionths of the prices' currency"),
  summary: z.string().exactOptional().describe("The session's"),
  evaluation: z.record(z.string(), z.unknown()).exactOptional(),
  dropped: z
    .array(z.strictObject({ where: z.string(), why: z.string() }))
    .describe("What the check of the evidence left out"),
  failure: z.string().exactOptional(),
});

/** The result of many requests, as `evaluate --status … --json` prints it under `sessions`. */
export interface ManyEvaluations {
  status: "error" | "processed";
  since: string;
  dry_run: boolean;
  found: number;
  requested: number;
  joined: number;
  changed: number;
  refused: number;
  problems: { session_id: string; why: string }[];
  stopped: boolean;
}

export const ManyEvaluations: z.ZodType<ManyEvaluations> = z.strictObject({
  status: z.enum(["error", "processed"]),
  since: z.iso.datetime(),
  dry_run: z.boolean(),
  found: z.int(),
  requested: z.int(),
  joined: z.int().describe("An evaluation was under way already"),
  changed: z.int().describe("Evaluated meanwhile, and left alone"),
  refused: z.int(),
  problems: z
    .array(z.strictObject({ session_id: z.uuid(), why: z.string() }))
    .describe("Why the first of them were refused"),
  stopped: z.boolean().describe("By ctrl-C, before the last one"),
});
