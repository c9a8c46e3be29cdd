import { UNSPACED } from "#language";
import type { Db } from "#platform";
import type { Evaluation, QualificationStatus, TranscriptEntry } from "@svc/contract/types";
import { digestDue } from "../digest/digest.ts";
import { termsQuery } from "../digest/terms.ts";
import type { Facets } from "../digest/terms.ts";
import { listByIds, listSessions } from "./session-list.ts";
import type { ListedSession, SessionFilter } from "./session-list.ts";
import { selectContents, selectFitting } from "./session-search-store.ts";
import type { SessionContents } from "./session-search-store.ts";

export interface SessionSearch extends SessionFilter {
  /** Only where each of these words was heard, or is part of the address or the name. */
  text?: string;
  qualification?: QualificationStatus;
  /** Only where this question was answered. */
  answered?: string;
  /** Only where this insight was found. */
  insight?: string;
  /** What became of its newest event. */
  delivery?: "delivered" | "under_way" | "failed";
}

export interface FoundSession extends ListedSession {
  evaluation: Evaluation | undefined;
  /** The turn in which a word was heard first, cut to what is around it. */
  heard: TranscriptEntry | undefined;
}

export interface FoundSessions {
  sessions: FoundSession[];
  /** Whether there are older ones that fit. */
  hasMore: boolean;
}

/** The newest sessions that fit. Words are found in settled sessions only. */
export async function searchSessions(db: Db, search: SessionSearch): Promise<FoundSessions> {
  const { text, limit } = search;
  const list = isByTime(search) ? listSessions : listFitting;
  const withNext = await list(db, { ...search, limit: limit + 1 });
  const listed = withNext.slice(0, limit);
  const contents = await selectContents(db, listed, text !== undefined);
  const byId = new Map(contents.map((one) => [one.id, one]));
  return {
    sessions: listed.map((one) => toFound(one, byId.get(one.id), text)),
    hasMore: withNext.length > limit,
  };
}

/** What the order of the list itself finds, or an index of few sessions. */
function isByTime(search: SessionSearch): boolean {
  if (needsEvaluation(search)) return false;
  const { agentId, status, language, device, entry } = search;
  return status === "active" || [agentId, status, language, device, entry].every(isAbsent);
}

const isAbsent = (value: unknown): boolean => value === undefined;

function needsEvaluation({
  text,
  qualification,
  answered,
  insight,
  delivery,
}: SessionSearch): boolean {
  return ![text, qualification, answered, insight, delivery].every(isAbsent);
}

function facetsOf({ agentId: agent, qualification: verdict, ...search }: SessionSearch): Facets {
  const { test, status, language, device, entry, answered, insight, delivery } = search;
  return { test, agent, verdict, status, language, device, entry, answered, insight, delivery };
}

async function listFitting(db: Db, search: SessionSearch): Promise<ListedSession[]> {
  const { text, accountIds, limit, status } = search;
  await digestDue(db);
  const query = termsQuery({ facets: facetsOf(search), accounts: accountIds, text });
  const found = await listByIds(db, await selectFitting(db, { ...search, query }));
  const mayGoOn = !needsEvaluation(search) && status === undefined;
  const goingOn = mayGoOn ? await listSessions(db, { ...search, status: "active" }) : [];
  return [...found, ...goingOn].toSorted(newestFirst).slice(0, limit);
}

function newestFirst(a: ListedSession, b: ListedSession): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
}

function toFound(
  session: ListedSession,
  contents: SessionContents | undefined,
  text: string | undefined,
): FoundSession {
  const found = { ...session, evaluation: contents?.evaluation ?? undefined, heard: undefined };
  const wanted = text === undefined ? undefined : wordIn(text);
  if (wanted === undefined) return found;
  for (const turn of contents?.transcript ?? []) {
    const at = turn.content.search(wanted);
    if (at >= 0) return { ...found, heard: { ...turn, content: around(turn.content, at) } };
  }
  return found;
}

/** Any of the words, at its beginning; in scripts without spaces anywhere. */
function wordIn(text: string): RegExp | undefined {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu);
  if (words === null) return undefined;
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?=[${UNSPACED}]))(?:${words.join("|")})`, "iv");
}

const AROUND_CHARACTERS = 60;

/** The words around a place, from a word's beginning on. */
function around(content: string, at: number): string {
  const from = content.lastIndexOf(" ", Math.max(0, at - AROUND_CHARACTERS)) + 1;
  const end = content.indexOf(" ", at + AROUND_CHARACTERS * 1.5);
  const cut = content.slice(from, end < 0 ? undefined : end);
  return `${from > 0 ? "…" : ""}${cut}${end < 0 ? "" : "…"}`;
}
