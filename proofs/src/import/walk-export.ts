import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Session } from "@svc/contract/types";
import type { Customer } from "@svc/server/testing";
import { checkStamps } from "./check-stamps.ts";
import type { StampReport } from "./check-stamps.ts";
import type { ImportCase } from "./import-case.ts";
import { toLines } from "./import-file.ts";

export interface Walk {
  /** When each session starts, in milliseconds. */
  stamps: Map<string, number>;
  /** Ids that came at two different times. */
  doubled: number;
  /** Ids of sessions that are not what was expected. */
  changed: string[];
  /** The loop no longer advances: it would ask for the same page for ever. */
  standsStill: boolean;
}

const SCRIPT = fileURLToPath(new URL("read_export.py", import.meta.url));
const run = promisify(execFile);

/** The documented loop, in Python, which compares as it reads. */
export async function walkExport(
  url: string,
  { account, agent, token }: Customer,
  expected: Omit<Session, "created_at">[],
  folder: string,
): Promise<Walk> {
  const path = join(folder, `expected-${account.clientId}.ndjson`);
  await writeFile(path, toLines(expected.map((one) => ({ ...one, agent_id: agent.agentId }))));
  const { stdout } = await run("python3", [SCRIPT, url, token, path], { maxBuffer: 2 ** 28 });
  const answer = JSON.parse(stdout) as {
    stamps: Record<string, string>;
    doubled: number;
    changed: string[];
    stands_still: boolean;
  };
  return {
    stamps: new Map(Object.entries(answer.stamps).map(([id, at]) => [id, Date.parse(at)])),
    doubled: answer.doubled,
    changed: answer.changed,
    standsStill: answer.stands_still,
  };
}

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
