import type { ExportHold, Hold } from "#sessions";
import type { Edge, Waiting } from "@svc/contract/types";
import { ago } from "../terminal/times.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function toWaiting(hold: Hold): Waiting {
  return {
    waits_for: hold.waitsFor,
    ...(hold.until !== null && { until: hold.until.toISOString() }),
    overdue: hold.overdue,
  };
}

export function toEdge(hold: ExportHold): Edge {
  return {
    session_id: hold.sessionId,
    created_at: hold.createdAt.toISOString(),
    ...toWaiting(hold),
    held: hold.behind,
  };
}

/** "its evaluation, due in 3 min" */
export function waitingWords(terminal: Terminal, { waits_for, until, overdue }: Waiting): string {
  const due = until === undefined ? "" : `, ${overdue ? "was due" : "due"} ${ago(terminal, until)}`;
  return `${WAITS_FOR[waits_for]}${due}`;
}

const WAITS_FOR: Record<Hold["waitsFor"], string> = {
  visitor: "the visitor to connect",
  conversation: "the end of its conversation",
  evaluation: "its evaluation",
};

export function edgeWords(terminal: Terminal, edge: Edge): string {
  const behind =
    edge.held === 0
      ? "No finished session waits behind it yet."
      : `${edge.held.toLocaleString("en")} finished ${edge.held === 1 ? "session waits" : "sessions wait"} behind it.`;
  return `Held at session ${edge.session_id}, which waits for ${waitingWords(terminal, edge)}. ${behind}`;
}
