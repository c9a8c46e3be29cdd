import { stemsOf } from "#agents";
import { fold } from "#language";
import type { Db } from "#platform";
import { listSessions } from "../operator/session-list.ts";
import type { ListedSession } from "../operator/session-list.ts";
import { selectTalks } from "./gaps-store.ts";
import { groupQuestions } from "./group-questions.ts";
import type { StemmedQuestion } from "./group-questions.ts";
import { unansweredIn } from "./unanswered.ts";
import type { GapReason, Unanswered } from "./unanswered.ts";

export interface GapsFilter {
  agentId: string;
  /** The language of the agent's knowledge. */
  knowledgeLanguage: string;
  since: Date;
  /** Read at most so many sessions, the newest. */
  maxSessions: number;
}

export interface FoundGaps {
  /** How many sessions were read. */
  sessions: number;
  /** The start of the oldest session that was read, where older ones were not. */
  readTo: Date | undefined;
  /** What most visitors asked first. */
  gaps: Gap[];
}

/** What visitors asked and nobody had written down, in one or more of their words. */
export interface Gap {
  /** The shortest way in which a model put it, in the language of the knowledge; else the shortest question. */
  about: string;
  asked: Unanswered[];
  /** How many sessions it was asked in. */
  sessions: number;
  reasons: Record<GapReason, number>;
}

const BATCH = 500;

/** What an agent could not answer. It is read from the record each time, so that what is erased there is in no answer either. */
export async function findGaps(db: Db, filter: GapsFilter): Promise<FoundGaps> {
  const { agentId, since, maxSessions, knowledgeLanguage } = filter;
  const asked: Unanswered[] = [];
  let sessions = 0;
  let last: ListedSession | undefined;
  let isAll = false;
  while (!isAll && sessions < maxSessions) {
    const before = last && { at: last.createdAt, id: last.id };
    const limit = Math.min(BATCH, maxSessions - sessions);
    const batch = await listSessions(db, {
      agentId,
      since,
      test: false,
      limit,
      ...(before && { before }),
    });
    const talks = batch.length === 0 ? [] : await selectTalks(db, batch);
    asked.push(...talks.flatMap(unansweredIn));
    sessions += batch.length;
    last = batch.at(-1) ?? last;
    isAll = batch.length < limit;
  }
  const oldestFirst = asked.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const groups = groupQuestions(await withStems(db, oldestFirst, knowledgeLanguage));
  const gaps = groups.map(gapOf).toSorted(byVisitors);
  return { sessions, readTo: isAll ? undefined : last?.createdAt, gaps };
}

type StemmedUnanswered = Unanswered & StemmedQuestion;

/**
 * A model has put most questions in the language of the knowledge, whatever the visitor speaks: these words are compared. Otherwise
 * all that the visitor said: "We use Trello. Can we migrate?" is about Trello.
 */
async function withStems(
  db: Db,
  asked: Unanswered[],
  knowledgeLanguage: string,
): Promise<StemmedUnanswered[]> {
  const texts = asked.map((one) => ({
    one,
    heard: { language: one.language, words: wordsOf(one.heard) },
    phrased: { language: knowledgeLanguage, words: wordsOf(one.phrasings.join(" ")) },
  }));
  const all = texts.flatMap(({ heard, phrased }) => [heard, phrased]);
  const stems = new Map<string, Map<string, string[]>>();
  for (const [language, of] of Map.groupBy(all, (text) => text.language)) {
    const words = [...new Set(of.flatMap((text) => text.words))];
    stems.set(language, await stemsOf(db, words, [language]));
  }
  const stemsIn = ({ language, words }: (typeof all)[number]): string[] => {
    const found = words.flatMap((word) => stems.get(language)!.get(word) ?? []);
    // "Why?" has no word that says what it is about.
    return found.length > 0 ? found : words;
  };
  return texts.map(({ one, heard, phrased }) => {
    const told = stemsIn(phrased.words.length > 0 ? phrased : heard);
    return { ...one, stems: new Set(told), seen: new Set([...told, ...stemsIn(heard)]) };
  });
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(" ")
    .filter((word) => word !== "");
}

function gapOf(asked: StemmedUnanswered[]): Gap {
  const count = (reason: GapReason): number =>
    asked.filter(({ reasons }) => reasons.includes(reason)).length;
  return {
    about: aboutOf(asked),
    asked,
    sessions: new Set(asked.map(({ sessionId }) => sessionId)).size,
    reasons: {
      not_found: count("not_found"),
      said_unknown: count("said_unknown"),
      held: count("held"),
    },
  };
}

/** The first phrasing of a model is the question itself, the others are for the search. */
function aboutOf(asked: StemmedUnanswered[]): string {
  const phrased = asked.flatMap(({ phrasings }) => phrasings.slice(0, 1));
  const all = phrased.length > 0 ? phrased : asked.map(({ question }) => question);
  return all.toSorted((one, other) => one.length - other.length)[0]!;
}

function byVisitors(one: Gap, other: Gap): number {
  const lastAt = ({ asked }: Gap): number => asked.at(-1)!.at.getTime();
  return other.sessions - one.sessions || lastAt(other) - lastAt(one);
}
