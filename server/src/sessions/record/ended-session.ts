import type { Metadata } from "@svc/contract/types";
import type { Db, Trx } from "#platform";
import { selectEnded } from "./ended-store.ts";
import type { Turn } from "./session-object.ts";

/** A session whose conversation is over, with all that is needed to judge it. */
export interface EndedSession {
  id: string;
  accountId: number;
  agentId: string;
  agentVersion: number;
  test: boolean;
  endedAt: Date;
  settledAt: Date | null;
  evaluateBy: Date | null;
  metadata: Metadata;
  /** Its address's domain is being asked whether it accepts mail. */
  awaitsDomain: boolean;
  turns: Turn[];
  /** The database's clock when it was read. */
  readAt: Date;
}

/** Undefined for one that never was, has been erased, or still goes on. */
export async function readEndedSession(
  db: Db | Trx,
  id: string,
): Promise<EndedSession | undefined> {
  return selectEnded(db, id);
}
