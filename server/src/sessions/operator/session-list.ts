import type { SessionStatus } from "@svc/contract/types";
import type { Db } from "#platform";
import { selectNewest } from "./operator-store.ts";

export interface SessionFilter {
  accountId?: number;
  agentId?: string;
  status?: SessionStatus;
  since?: Date;
  /** Test sessions instead of real ones. */
  test: boolean;
  limit: number;
}

/** A session without what was said in it. */
export interface ListedSession {
  id: string;
  clientId: string;
  accountName: string;
  agentId: string;
  agentSlug: string;
  agentVersion: number;
  test: boolean;
  status: SessionStatus;
  createdAt: Date;
  endedAt: Date | null;
  endReason: string | null;
  settledAt: Date | null;
  durationSecs: number | null;
}

/** The newest first. */
export async function listSessions(db: Db, filter: SessionFilter): Promise<ListedSession[]> {
  return selectNewest(db, filter);
}
