import type { DeliveryState } from "#webhooks";
import type { DeliveryDetail, DeliveryRow } from "@svc/contract/types";
import { facts, heading, table, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { ago, moment } from "../terminal/times.ts";

/** Deliveries as rows, and below them what to do about those that need somebody. */
export function deliveryTable(terminal: Terminal, rows: DeliveryRow[]): string {
  const shown = table(terminal, rows, [
    { title: "ID", cell: (one) => String(one.id), align: "right" },
    { title: "SESSION", cell: (one) => one.session_id },
    { title: "WRITTEN", cell: (one) => ago(terminal, one.created_at) },
    { title: "STATE", cell: (one) => stateInShort(terminal, one), tone: stateTone },
    { title: "TRIES", cell: (one) => `${one.attempts} of 3` },
    { title: "LAST ANSWER", cell: (one) => lastAnswer(one) },
    { title: "TO", cell: (one) => new URL(one.url).host, flexible: true },
    { title: "ACCOUNT", cell: (one) => one.account_name, optional: true },
  ]);
  const open = rows.filter(({ followed }) => !followed).map(shownState);
  const notes = NOTES.filter(([state]) => open.includes(state)).map(
    ([state, note]) => `${state}: ${note}`,
  );
  return [
    shown,
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => wrap(note, terminal.width, 0))]),
  ].join("\n");
}

/** A delivery that is held back waits as well, but not for its receiver. */
function shownState({ state, held_because: because }: DeliveryRow): DeliveryState | "held back" {
  return because === undefined ? state : "held back";
}

const NOTES: [ReturnType<typeof shownState>, string][] = [
  [
    "held back",
    "something of ours is missing, and nothing was sent. `svc deliveries show <id>` tells what; it is tried again by itself.",
  ],
  [
    "exhausted",
    "three tries failed. `svc deliveries show <id>` tells how; `svc deliveries replay <id>` sends it again.",
  ],
  [
    "orphaned",
    "crashes of ours cut five tries short. Look into the pipeline's log, then `svc deliveries replay <id>`.",
  ],
];

const STATE_TONE: Record<DeliveryState, Tone> = {
  waiting: "warn",
  running: "warn",
  delivered: "good",
  exhausted: "bad",
  orphaned: "bad",
  cancelled: "quiet",
};

function stateTone({ state, followed, held_because: because }: DeliveryRow): Tone {
  if (because !== undefined) return "bad";
  return followed && state !== "delivered" ? "quiet" : STATE_TONE[state];
}

function stateInShort(terminal: Terminal, delivery: DeliveryRow): string {
  const { due_at: due } = delivery;
  const state = shownState(delivery);
  return due === undefined ? state : `${state}, ${nextTry(terminal, due)}`;
}

function lastAnswer({ last_outcome: outcome, last_status: status }: DeliveryRow): string {
  return outcome === undefined ? "" : outcomeWords(outcome, status);
}

function outcomeWords(outcome: string, status: number | undefined): string {
  return status === undefined ? outcome.replaceAll("_", " ") : String(status);
}

function nextTry(terminal: Terminal, dueAt: string): string {
  return Date.parse(dueAt) <= terminal.nowMs ? "due" : ago(terminal, dueAt);
}

/** One delivery to read from top to bottom: the event, where it goes, and every try. */
export function renderDelivery(delivery: DeliveryDetail, terminal: Terminal): string {
  const { event } = delivery;
  const tries =
    delivery.log.length === 0 ? [] : ["", heading(terminal, "Tries"), log(delivery, terminal)];
  return [
    heading(terminal, `Delivery ${delivery.id}`),
    facts(terminal, [
      ["state", `${delivery.state}: ${stateWords(delivery, terminal)}`, stateTone(delivery)],
      ["held back", delivery.held_because],
      ["event", `${event.event_type} (${event.id}), ${event.bytes.toLocaleString("en")} bytes`],
      ["session", `${delivery.session_id}, evaluation ${event.evaluation}`],
      ["written", moment(terminal, event.at)],
      ["to", `${delivery.url} (${delivery.endpoint_id}, ${delivery.endpoint_state})`],
      ["account", `${delivery.account_name} (${delivery.client_id})`],
      [
        "replay of",
        delivery.replay_of === undefined ? undefined : `delivery ${delivery.replay_of}`,
      ],
      ["sent again", delivery.replays.map((id) => `delivery ${id}`).join(", ")],
      [
        "crashes",
        delivery.crashes === 0
          ? undefined
          : `${delivery.crashes} tries were cut short by crashes of ours`,
      ],
      ["do", whatToDo(delivery)],
    ]),
    ...tries,
  ].join("\n");
}

function stateWords(delivery: DeliveryDetail, terminal: Terminal): string {
  switch (delivery.state) {
    case "waiting":
      return waitingWords(delivery, terminal);
    case "running":
      return "it is being sent, or will be in a moment";
    case "delivered":
      return `the receiver took it ${ago(terminal, delivery.finished_at!)}`;
    case "exhausted":
      return `three tries failed, the last one ${ago(terminal, delivery.finished_at!)}`;
    case "orphaned":
      return "crashes of ours cut five tries short";
    case "cancelled":
      return `its endpoint was removed ${ago(terminal, delivery.finished_at!)}`;
  }
}

function waitingWords(
  { endpoint_state: state, behind, due_at: due, held_because: because }: DeliveryDetail,
  terminal: Terminal,
): string {
  if (state === "paused") return "its endpoint is paused";
  if (behind !== undefined) return `delivery ${behind} of the same session goes first`;
  if (because !== undefined) {
    const isDue = Date.parse(due!) <= terminal.nowMs;
    return `held back, with no try counted; tried again ${isDue ? "in a moment" : ago(terminal, due!)}`;
  }
  return Date.parse(due!) <= terminal.nowMs
    ? "it gets the next free place"
    : `its next try is ${moment(terminal, due)}`;
}

function whatToDo(delivery: DeliveryDetail): string | undefined {
  const { id, state, followed, endpoint_id: endpointId } = delivery;
  if (state === "waiting" && delivery.endpoint_state === "paused") {
    return `svc webhooks resume ${endpointId}`;
  }
  if (state !== "exhausted" && state !== "orphaned") return undefined;
  if (followed) return "Nothing: a later delivery of the same session has followed it.";
  return `svc webhooks test ${endpointId} tells what is wrong there; then svc deliveries replay ${id}`;
}

function log({ log: tries }: DeliveryDetail, terminal: Terminal): string {
  return table(terminal, tries, [
    { title: "TRY", cell: (one) => String(one.attempt), align: "right" },
    { title: "STARTED", cell: (one) => one.started_at },
    { title: "AFTER", cell: (one) => gap(tries, one), align: "right" },
    { title: "TOOK", cell: (one) => `${one.took_ms.toLocaleString("en")} ms`, align: "right" },
    {
      title: "OUTCOME",
      cell: (one) => outcomeWords(one.outcome, one.status),
      tone: ({ status = 0 }) => (status >= 200 && status < 300 ? "good" : "bad"),
    },
    { title: "ANSWER", cell: (one) => one.answer ?? one.detail ?? "", flexible: true },
  ]);
}

/** From the start of the try before. */
function gap(
  tries: DeliveryDetail["log"],
  { attempt, started_at: at }: DeliveryDetail["log"][number],
): string {
  const before = tries.find((one) => one.attempt === attempt - 1);
  if (before === undefined) return "";
  return `${((Date.parse(at) - Date.parse(before.started_at)) / 1_000).toFixed(1)} s`;
}
