import type { ProcessPart } from "#platform";
import { ConsoleStatus } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { ask } from "../ask.ts";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { readStatus } from "../console/overview-routes.ts";
import { waitingWords } from "../pages/export-edge.ts";
import { EXIT } from "../terminal/explain-error.ts";
import { facts, table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { ago, duration } from "../terminal/times.ts";

const statusCommand = defineCommand({
  name: "status",
  summary: "Show which processes run, how busy they are, and what waits for them",
  examples: [["svc status", "exits with 1 while no process has one of the roles"]],
  output: ConsoleStatus,
  run: (operator) => ask(operator, readStatus),
  render: renderStatus,
  exitCode: ({ missing_roles: missing }) => (missing.length === 0 ? EXIT.done : EXIT.refused),
});

/** The processes, a line for each backlog, and what is missing. */
function renderStatus(status: types.ConsoleStatus, terminal: Terminal): string {
  const { missing_roles: missing, deliveries } = status;
  return [
    renderProcesses(status, terminal),
    "",
    facts(terminal, [
      ["oldest unsettled", ...oldestWords(status, terminal)],
      ["evaluations", evaluationWords(status.evaluations)],
      ["deliveries", deliveries && deliveryWords(deliveries)],
    ]),
    ...missing.map((role) => `\n${tone(terminal, "bad", "Missing:")} ${needWords(role, terminal)}`),
  ].join("\n");
}

/** A server tells who sees some accounts neither what runs nor what waits of the others. */
const seesAll = ({ deliveries }: types.ConsoleStatus): boolean => deliveries !== undefined;

function renderProcesses(status: types.ConsoleStatus, terminal: Terminal): string {
  const { processes, live } = status;
  if (!seesAll(status)) {
    const text = `${live.sessions}/${live.capacity} calls. Processes and deliveries are shown to people who see all accounts.`;
    return wrap(text, terminal.width, 0);
  }
  if (processes.length === 0) return "No process has reported in the last ten minutes.";
  return table(terminal, processes, [
    { title: "INSTANCE", cell: (one) => one.instance, flexible: true },
    { title: "ROLE", cell: (one) => one.role },
    { title: "STATE", cell: (one) => one.state, tone: (one) => STATE_TONE[one.state] },
    { title: "LOAD", cell: (one) => loadWords(one) },
    { title: "SEEN", cell: (one) => ago(terminal, one.seen_at) },
    { title: "VERSION", cell: (one) => one.version },
    { title: "UP", cell: (one) => upWords(one, terminal), optional: true },
  ]);
}

function oldestWords(
  status: types.ConsoleStatus,
  terminal: Terminal,
): [words: string | undefined, tone?: Tone] {
  const { oldest_unsettled: oldest } = status;
  if (oldest === undefined) return [seesAll(status) ? "none" : undefined];
  const words = `${oldest.session_id}, started ${ago(terminal, oldest.created_at)}, waits for ${waitingWords(terminal, oldest)}`;
  return oldest.overdue ? [words, "bad"] : [words];
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

function evaluationWords({
  waiting,
  running,
  model_away: away,
}: types.ConsoleStatus["evaluations"]): string {
  const retried =
    away === 0 ? "" : `, ${count(away)} without a model so far and retried until one answers`;
  return `${count(waiting)} waiting, ${count(running)} running${retried}`;
}

function deliveryWords(deliveries: types.DeliveryBacklog): string {
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
