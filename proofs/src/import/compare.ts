import { checkStamps } from "./check-stamps.ts";
import type { StampReport } from "./check-stamps.ts";
import type { ImportCase } from "./import-case.ts";
import type { Walk } from "./walk-export.ts";

export interface Comparison extends StampReport {
  lost: number;
  doubled: number;
  /** Sessions of which a value came back different. */
  changed: number;
}

/** Holds what the export returned against what was in the file and what was there before. */
export function compareCase({ file, there, ascending }: ImportCase, walk: Walk): Comparison {
  const ids = [...file.expected, ...there].map(({ id }) => id);
  const lost = ids.filter((id) => !walk.stamps.has(id)).length;
  const stamped = file.expected.flatMap(({ id }, index) => {
    const atMs = walk.stamps.get(id);
    return atMs === undefined ? [] : [{ givenMs: file.givenMs[index]!, atMs }];
  });
  const othersMs = there.map(({ created_at }) => Date.parse(created_at));
  return {
    ...checkStamps(stamped, othersMs, ascending),
    lost,
    // What is in no file has come into being twice.
    doubled: walk.doubled + walk.stamps.size - (ids.length - lost),
    changed: walk.changed.length,
  };
}
