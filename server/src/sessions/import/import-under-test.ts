import { randomUUID } from "node:crypto";
import { createJobSender, createLog } from "#platform";
import type { Db } from "#platform";
import type { Session } from "@svc/contract/types";
import type { ImportReport } from "./import-report.ts";
import { selectStored } from "./import-store.ts";
import { importSessions } from "./import.ts";
import type { ImportRequest } from "./import.ts";

/** For tests: sessions of an earlier system start here and later. */
export const AT_MS: number = Date.UTC(2026, 2, 2, 9, 15);

export interface Owner {
  account: { id: number; clientId: string };
  agent: { agentId: string };
}

export function oldSession(owner: Owner, atMs: number, more: Partial<Session> = {}): Session {
  return {
    id: randomUUID(),
    agent_id: owner.agent.agentId,
    status: "processed",
    created_at: new Date(atMs).toISOString(),
    ...more,
  };
}

export function burst(owner: Owner, count: number, atMs: number, gapMs = 0): Session[] {
  return Array.from({ length: count }, (_, index) => oldSession(owner, atMs + index * gapMs));
}

/** Imports the lines as a file, or through a pipe. */
export async function importLines(
  { db }: { db: Db },
  { account }: Owner,
  lines: (Session | string)[],
  {
    piped = false,
    breakAfter,
    ...more
  }: Partial<Omit<ImportRequest, "source">> & { piped?: boolean; breakAfter?: number } = {},
): Promise<ImportReport> {
  async function* open(): AsyncGenerator<Uint8Array> {
    for (const [index, line] of lines.entries()) {
      if (index === breakAfter) throw new Error("broken off");
      yield Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    }
  }
  return importSessions(db, createJobSender(db, createLog("silent")), "ada", {
    account,
    agent: undefined,
    unevaluated: false,
    dryRun: false,
    onProgress: () => {},
    ...more,
    source: { name: "old.ndjson", open, canBeReadTwice: !piped },
  });
}

/** Their stamps as milliseconds after AT_MS, in the order of the sessions. */
export async function offsets({ db }: { db: Db }, sessions: Session[]): Promise<number[]> {
  const stored = await selectStored(
    db,
    sessions.map(({ id }) => id),
  );
  const stamps = new Map(stored.map(({ id, createdAt }) => [id, createdAt.getTime()]));
  return sessions.map(({ id }) => stamps.get(id)! - AT_MS);
}
