import { evaluationBacklog } from "#evaluation";
import { missingRoles, reportedProcesses } from "#platform";
import type { ProcessPart } from "#platform";
import { oldestUnsettled } from "#sessions";
import { countDeliveries } from "#webhooks";
import { StatusProcess } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { toWaiting, waitingWords } from "../pages/export-edge.ts";
import { toProcess } from "../pages/process-output.ts";
import { EXIT } from "../terminal/explain-error.ts";
import { facts, table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { ago, duration } from "../terminal/times.ts";

const Status = z.strictObject({
  processes: z.array(StatusProcess),
  missing_roles: z.array(z.enum(["api", "live", "pipeline"])),
  oldest_unsettled: z
    .strictObject({
      session_id: z.uuid(),
      created_at: z.iso.datetime(),
      waits_for: z.enum(["visitor", "conversation", "evaluation"]),
      until: z.iso.datetime().exactOptional(),
      overdue: z.boolean(),
    })
    .exactOptional(),
  evaluations: z.strictObject({ waiting: z.int(), running: z.int(), model_away: z.int() }),
  deliveries: z.strictObject({
    waiting: z.int(),
    held: z.int().describe("Held back: something of the server is missing, such as a key"),
    running: z.int(),
    exhausted: z.int(),
    orphaned: z.int(),
    oldest_due_secs: z.int(),
  }),
});
type Status = z.infer<typeof Status>;

const statusCommand = defineCommand({
  name: "status",
  summary: "Show which processes run, how busy they are, and what waits for them",
  examples: [["svc status", "exits with 1 while no process has one of the roles"]],
  output: Status,
  run: async (operator) => {
    const db = operator.db();
    const processes = await reportedProcesses(db);
    const oldest = await oldestUnsettled(db);
    const { waiting, running, modelAway } = await evaluationBacklog(db);
    const { states, oldestDueSecs } = await countDeliveries(db);
    return {
      processes: processes.map(toProcess),
      missing_roles: missingRoles(processes),
      ...(oldest !== undefined && {
        oldest_unsettled: {
          session_id: oldest.sessionId,
          created_at: oldest.createdAt.toISOString(),
          ...toWaiting(oldest),
        },
      }),
      evaluations: { waiting, running, model_away: modelAway },
      deliveries: { ...states, oldest_due_secs: Math.round(oldestDueSecs) },
    };
  },
  render: renderStatus,
  exitCode: ({ missing_roles: missing }) => (missing.length === 0 ? EXIT.done : EXIT.refused),
});

/** The processes, a line for each backlog, and what is missing. */
function renderStatus(status: Status, terminal: Terminal): string {
  const { oldest_unsettled: oldest, missing_roles: missing } = status;
  return [
    status.processes.length === 0
      ? "No process has reported in the last ten minutes."
      : table(terminal, status.processes, [
          { title: "INSTANCE", cell: (one) => one.instance, flexible: true },
          { title: "ROLE", cell: (one) => one.role },
          { title: "STATE", cell: (one) => one.state, tone: (one) => STATE_TONE[one.state] },
          { title: "LOAD", cell: (one) => loadWords(one) },
          { title: "SEEN", cell: (one) => ago(terminal, one.seen_at) },
          { title: "VERSION", cell: (one) => one.version },
          { title: "UP", cell: (one) => upWords(one, terminal), optional: true },
        ]),
    "",
    facts(terminal, [
      [
        "oldest unsettled",
        oldest === undefined
          ? "none"
          : `${oldest.session_id}, started ${ago(terminal, oldest.created_at)}, waits for ${waitingWords(terminal, oldest)}`,
        oldest?.overdue ? "bad" : undefined,
      ],
      ["evaluations", evaluationWords(status.evaluations)],
      ["deliveries", deliveryWords(status.deliveries)],
    ]),
    ...missing.map((role) => `\n${tone(terminal, "bad", "Missing:")} ${needWords(role, terminal)}`),
  ].join("\n");
}

const STATE_TONE: Record<types.StatusProcess["state"], Tone> = {
  running: "good",
  busy: "warn",
  draining: "warn",
  gone: "bad",
};

function loadWords(process: types.StatusProcess): string {
  const { sessions, capacity, jobs, requests_per_sec: rate, state } = process;
  if (state === "gone") return "";
  return [
    ...(sessions === undefined ? [] : [`${sessions}/${capacity} calls`]),
    ...(jobs === undefined ? [] : [`${jobs} jobs`]),
    ...(rate === undefined ? [] : [`${rate} req/s`]),
  ].join(", ");
}

function upWords(
  { started_at: from, seen_at: until, state }: types.StatusProcess,
  { nowMs }: Terminal,
): string {
  const endMs = state === "gone" ? Date.parse(until) : nowMs;
  return duration(Math.max(0, endMs - Date.parse(from)) / 1_000);
}

function evaluationWords({ waiting, running, model_away: away }: Status["evaluations"]): string {
  const retried =
    away === 0 ? "" : `, ${count(away)} without a model so far and retried until one answers`;
  return `${count(waiting)} waiting, ${count(running)} running${retried}`;
}

function deliveryWords(deliveries: Status["deliveries"]): string {
  const { waiting, held, running, exhausted, orphaned, oldest_due_secs: dueSecs } = deliveries;
  const due = dueSecs === 0 ? "" : ` (the oldest due for ${duration(dueSecs)})`;
  const failed = exhausted + orphaned;
  const heldBack = held === 0 ? "" : `, ${count(held)} held back`;
  const hint = failed + held === 0 ? "" : "; list them with `svc deliveries list`";
  return `${count(waiting)} waiting${due}${heldBack}, ${count(running)} running, ${count(failed)} failed${hint}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

const WITHOUT: Record<ProcessPart, string> = {
  api: "customers and pages get no answer",
  live: "no demo can start",
  pipeline: "nothing is evaluated, delivered or mailed, and sessions stay unsettled",
};

function needWords(role: ProcessPart, terminal: Terminal): string {
  const text = `no process with the role ${role} takes new work, so ${WITHOUT[role]}. Start one with SVC_ROLE=${role} or all.`;
  return wrap(text, terminal.width, 9);
}

export const statusCommands: Command[] = [statusCommand];
