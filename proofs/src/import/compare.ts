import { isDeepStrictEqual } from "node:util";
import type { Customer } from "@svc/server/testing";
import { checkStamps } from "./check-stamps.ts";
import type { StampReport } from "./check-stamps.ts";
import type { ImportCase } from "./import-case.ts";
import type { Walk } from "./read-export.ts";

export interface Comparison extends StampReport {
  lost: number;
  /** Sessions of which a value came back different. */
  changed: number;
  /** In the export and in no file. */
  strange: number;
}

/** Holds what the export returned against what was in the file and what was there before. */
export function compareCase(
  { file, there, ascending }: ImportCase,
  customer: Customer,
  { sessions }: Walk,
): Comparison {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const ids = new Set([...file.expected, ...there].map(({ id }) => id));
  const found = file.expected.map((expected) => byId.get(expected.id));
  const changed = file.expected.filter((expected, index) => {
    if (found[index] === undefined) return false;
    const { created_at: _at, ...rest } = found[index];
    return !isDeepStrictEqual(rest, { ...expected, agent_id: customer.agent.agentId });
  });
  const stamped = found.flatMap((session, index) =>
    session === undefined
      ? []
      : [{ givenMs: file.givenMs[index]!, atMs: Date.parse(session.created_at) }],
  );
  const othersMs = there.map(({ created_at }) => Date.parse(created_at));
  return {
    ...checkStamps(stamped, othersMs, ascending),
    lost: [...ids].filter((id) => !byId.has(id)).length,
    changed: changed.length,
    strange: [...byId.keys()].filter((id) => !ids.has(id)).length,
  };
}
