import type { Db, Log } from "#platform";
import { erasePerson, eraseSession } from "./erase.ts";
import type { AskedBy, Erasure } from "./erase.ts";
import { lookUp } from "./look-up.ts";
import type { Holdings } from "./look-up.ts";
import { readOwn, subjectExport } from "./own-conversation.ts";
import type { ReadableConversation, SubjectConversation } from "./own-conversation.ts";

/** The rights that people have over their data: to read it, to take a copy, and to have it erased. */
export interface Rights {
  /** Undefined when the session never existed or has been erased. */
  readOwn(sessionId: string): Promise<ReadableConversation | undefined>;
  /** The data that an erasure would remove, account by account. */
  lookUp(
    whose: { sessionId: string } | { email: string; accountId?: number | undefined },
  ): Promise<Holdings[]>;
  /** Throws `not_found` when there is no such session, in that account if one is named. */
  eraseSession(asked: {
    sessionId: string;
    askedBy: AskedBy;
    accountId?: number | undefined;
  }): Promise<Erasure>;
  /** Empty when nothing is stored under the address; otherwise one receipt per account. */
  erasePerson(asked: {
    email: string;
    askedBy: AskedBy;
    accountId?: number | undefined;
  }): Promise<Erasure[]>;
  subjectExport(person: {
    email: string;
    accountId?: number | undefined;
  }): AsyncIterable<SubjectConversation>;
}

export function createRights(parts: { db: Db; log: Log }): Rights {
  const { db } = parts;
  return {
    readOwn: (sessionId) => readOwn(db, sessionId),
    lookUp: (whose) => lookUp(db, whose),
    eraseSession: (asked) => eraseSession(parts, asked),
    erasePerson: (asked) => erasePerson(parts, asked),
    subjectExport: (person) => subjectExport(db, person),
  };
}
