import type { Db } from "#platform";
import { selectHold } from "./operator-store.ts";

/** An unsettled session: what it waits for, and until when. */
export interface Hold {
  sessionId: string;
  createdAt: Date;
  /** `visitor`: to come; `conversation`: to end; `evaluation`: to be written. */
  waitsFor: "visitor" | "conversation" | "evaluation";
  until: Date | null;
  /** By the database's clock. */
  overdue: boolean;
}

export interface ExportHold extends Hold {
  /** Settled sessions that wait behind it. */
  behind: number;
}

/** What holds the export's edge of an account right now; undefined when everything is settled. */
export async function exportHold(db: Db, accountId: number): Promise<ExportHold | undefined> {
  return selectHold(db, accountId);
}
