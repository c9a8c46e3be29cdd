import type { AgentFolder } from "./agent-files.ts";
import { differences, meaningOf } from "./meaning.ts";

interface ShownChange {
  field: string;
  change: string;
  from?: string;
  to?: string;
}

/** What is wrong with a plan from one folder to another: a change not shown, one too many, or a wrong value. */
export function judgePlan(
  changes: ShownChange[],
  from: AgentFolder,
  to: AgentFolder,
): string | undefined {
  const shown = changes.map(({ field }) => field).toSorted();
  const expected = differences(from, to);
  if (shown.join("\n") !== expected.join("\n"))
    return `shows ${shown.join(", ") || "nothing"}, where ${expected.join(", ") || "nothing"} changed`;
  const [before, after] = [meaningOf(from), meaningOf(to)];
  for (const { field, change, from: old, to: next } of changes) {
    const kind = !before.has(field) ? "added" : !after.has(field) ? "removed" : "changed";
    if (change !== kind) return `${field} is called ${change}, it is ${kind}`;
    if (field.includes("/")) continue;
    if (old !== before.get(field) || next !== after.get(field))
      return `${field} is shown as ${old} → ${next}`;
  }
  return undefined;
}
