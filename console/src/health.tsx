import type { AccountEdge, ConsoleEndpoint } from "@svc/contract/types";
import type { ReactNode } from "react";
import { count } from "./format.ts";
import { State } from "./ui.tsx";
import type { Tone } from "./ui.tsx";

function healthOf({ state, health }: ConsoleEndpoint): { name: string; tone: Tone } {
  if (state === "removed") return { name: "Removed", tone: "quiet" };
  if (state === "paused") return { name: "Paused", tone: "warn" };
  if (health.failed > 0) return { name: "Failing", tone: "bad" };
  if (health.oldest_due_at !== undefined) return { name: "Behind", tone: "warn" };
  return health.last_finished === 0
    ? { name: "Nothing sent yet", tone: "quiet" }
    : { name: "Well", tone: "good" };
}

/** How a receiver does, in a word. */
export function HealthState({ endpoint }: { endpoint: ConsoleEndpoint }): ReactNode {
  const { name, tone } = healthOf(endpoint);
  return <State tone={tone}>{name}</State>;
}

/** The cells of a receiver's row that say how many wait and how many failed. */
export function HealthCells({ endpoint: { health } }: { endpoint: ConsoleEndpoint }): ReactNode {
  return (
    <>
      <td className="number" data-title="Waiting">
        {count(health.waiting)}
      </td>
      <td className={health.failed > 0 ? "number bad" : "number"} data-title="Failed">
        {count(health.failed)}
      </td>
    </>
  );
}

/** A session that goes on holds nobody up before others have finished behind it. */
export function isHeld({ held, overdue }: AccountEdge): boolean {
  return held > 0 || overdue;
}
