import type { Db } from "#platform";
import type { Evaluation, QualificationStatus, TranscriptEntry } from "@svc/contract/types";
import { listSessions } from "./session-list.ts";
import type { ListedSession, SessionFilter } from "./session-list.ts";
import { selectContents } from "./session-search-store.ts";
import type { SessionContents } from "./session-search-store.ts";

export interface SessionSearch extends SessionFilter {
  /** Only where this was heard, or is part of the address or the name. Upper and lower case are the same. */
  text?: string;
  qualification?: QualificationStatus;
}

export interface FoundSession extends ListedSession {
  evaluation: Evaluation | undefined;
  /** The turn in which the text was heard first, cut to what is around it. */
  heard: TranscriptEntry | undefined;
}

export interface FoundSessions {
  sessions: FoundSession[];
  /** The last session that was read, where there may be older ones that fit. */
  readTo: ListedSession | undefined;
}

const BATCH = 250;
/** What one search reads at most: some 12 MB of transcripts. Whoever asks goes on from where it stopped. */
const READ_AT_MOST = 2_000;

/**
 * The newest sessions that fit. What was said and judged is in no index, so it is read from the newest
 * backwards, in small batches that leave the process time for others.
 */
export async function searchSessions(db: Db, search: SessionSearch): Promise<FoundSessions> {
  const { text, qualification, limit } = search;
  const fits = matcher(search);
  const readsContents = text !== undefined || qualification !== undefined;
  const batch = readsContents ? BATCH : limit;
  const sessions: FoundSession[] = [];
  let readTo: ListedSession | undefined;
  for (let read = 0; read < READ_AT_MOST; read += batch) {
    const before = readTo === undefined ? search.before : { at: readTo.createdAt, id: readTo.id };
    const listed = await listSessions(db, { ...search, ...(before && { before }), limit: batch });
    const contents = await selectContents(db, listed, text !== undefined);
    const byId = new Map(contents.map((one) => [one.id, one]));
    for (const one of listed) {
      readTo = one;
      const found = fits(one, byId.get(one.id));
      if (found !== undefined) sessions.push(found);
      if (sessions.length === limit) return { sessions, readTo };
    }
    if (listed.length < batch) return { sessions, readTo: undefined };
  }
  return { sessions, readTo };
}

type Matcher = (
  session: ListedSession,
  contents: SessionContents | undefined,
) => FoundSession | undefined;

function matcher({ text, qualification }: SessionSearch): Matcher {
  const wanted = text?.toLowerCase();
  return (session, contents) => {
    const evaluation = contents?.evaluation ?? undefined;
    if (qualification !== undefined && evaluation?.qualification?.status !== qualification) {
      return undefined;
    }
    if (wanted === undefined) return { ...session, evaluation, heard: undefined };
    const turns = contents?.transcript ?? [];
    const turn = turns.find(({ content }) => content.toLowerCase().includes(wanted));
    const who = `${session.email ?? ""}\n${evaluation?.customer_name ?? ""}`;
    if (turn === undefined && !who.toLowerCase().includes(wanted)) return undefined;
    return { ...session, evaluation, heard: turn && { ...turn, content: around(turn, wanted) } };
  };
}

const AROUND_CHARACTERS = 60;

/** The words around the first place, from a word's beginning on. */
function around({ content }: TranscriptEntry, wanted: string): string {
  const at = content.toLowerCase().indexOf(wanted);
  const from = content.lastIndexOf(" ", Math.max(0, at - AROUND_CHARACTERS)) + 1;
  const end = content.indexOf(" ", at + wanted.length + AROUND_CHARACTERS);
  const cut = content.slice(from, end < 0 ? undefined : end);
  return `${from > 0 ? "…" : ""}${cut}${end < 0 ? "" : "…"}`;
}
