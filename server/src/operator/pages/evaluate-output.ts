import type { SessionStatus } from "@svc/contract/types";
import * as z from "zod";

/** What became of one session's evaluation, as `evaluate <session> --json` prints it under `session`. */
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

/** What became of many requests, as `evaluate --status … --json` prints it under `sessions`. */
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
