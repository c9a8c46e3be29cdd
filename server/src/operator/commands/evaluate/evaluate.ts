import { AppError } from "#platform";
import * as z from "zod";
import { WHOSE, parseNumber, whoseSessions } from "../../arguments/parse-arguments.ts";
import { parseSince } from "../../arguments/parse-time.ts";
import { defineCommand, optional } from "../../command.ts";
import type { Command, Input } from "../../command.ts";
import type { Operator } from "../../operator.ts";
import { ManyEvaluations, OneEvaluation, renderEvaluation } from "../../pages/evaluation-page.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import { evaluateMany, evaluateOne, exitCodeOfOne, renderMany } from "./evaluate-sessions.ts";

const RATE = { min: 1, max: 1_000 } as const;

const Evaluated = z.strictObject({
  session: OneEvaluation.exactOptional(),
  sessions: ManyEvaluations.exactOptional(),
});

const evaluate = defineCommand({
  name: "evaluate",
  summary: "Evaluate a session again, or many",
  arguments: [{ name: "[session]", summary: "the session's id" }],
  options: [
    { flags: "--no-wait", summary: "ask for it and return at once" },
    {
      flags: "--status <status>",
      summary: "in place of one session, all that have settled so",
      choices: ["error", "processed"],
    },
    { flags: "--since <time>", summary: "and started since then: 24h, 7d or 2026-11-01" },
    ...WHOSE,
    { flags: "--rate <number>", summary: "how many a second", default: "5" },
    { flags: "--dry-run", summary: "only count them" },
  ],
  examples: [
    [
      "svc evaluate 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f",
      "waits for the new evaluation and shows it; its webhook fires again",
    ],
    ["svc evaluate --status error --since 24h --dry-run", "counts what failed since yesterday"],
    ["svc evaluate --status error --since 24h --rate 20", "and evaluates it, 20 a second"],
  ],
  output: Evaluated,
  run: async (operator, input) => {
    const id = optional(input, "session");
    if ((id === undefined) === (optional(input, "status") === undefined)) throw oneOrMany();
    if (id === undefined) return { sessions: await many(operator, input) };
    return { session: await evaluateOne(operator, id, { wait: input.options["wait"] !== false }) };
  },
  render: ({ session, sessions }, terminal) =>
    session === undefined ? renderMany(sessions!, terminal) : renderEvaluation(session, terminal),
  exitCode: ({ session, sessions }) => {
    if (session !== undefined) return exitCodeOfOne(session);
    return sessions!.stopped || sessions!.refused > 0 ? EXIT.refused : EXIT.done;
  },
});

async function many(operator: Operator, input: Input): Promise<ManyEvaluations> {
  const since = parseSince(input, operator.clock.nowMs());
  if (since === undefined) {
    throw new AppError("invalid_input", {
      what: "It is not said how far back to go.",
      why: "Each evaluation costs money, and --status alone would take the sessions of all years.",
      fix: "Add --since, for example --since 24h.",
    });
  }
  const filter = {
    status: optional(input, "status") === "error" ? ("error" as const) : ("processed" as const),
    since,
    ...(await whoseSessions(operator.db(), input)),
  };
  return evaluateMany(operator, filter, {
    ratePerSec: parseNumber(optional(input, "rate"), "rate", RATE)!,
    dryRun: input.options["dryRun"] === true,
  });
}

function oneOrMany(): AppError {
  return new AppError("invalid_input", {
    what: "It is not said what to evaluate.",
    why: "The command takes either a session's id or --status.",
    fix: "Name one session, or write --status error --since 24h for all that failed.",
  });
}

export const evaluateCommands: Command[] = [evaluate];
