import { pageNameOf, transact } from "#platform";
import type { Db, Trx } from "#platform";
import { selectTalks } from "../gaps/gaps-store.ts";
import { unansweredIn } from "../gaps/unanswered.ts";
import { isDue, selectDigested, selectPages, takeDue, writeDigests } from "./digest-store.ts";
import type { Digest, DigestedSession } from "./digest-store.ts";
import { facetTerms, wordTerms } from "./terms.ts";

const AT_ONCE = 200;
/** As many pages of an agent's day are counted by themselves; all others together, since anyone can report any page. */
const MAX_PAGES = 200;

/**
 * Writes the digests of sessions that have settled or changed, and returns whether more may be due.
 * Whoever reads what digests count calls it first, and is exact even where no pipeline has run since.
 */
export async function digestDue(db: Db): Promise<boolean> {
  if (!(await isDue(db))) return false;
  return transact(db, async (trx) => {
    const due = await takeDue(trx, AT_ONCE);
    if (due.length === 0) return false;
    const sessions = await selectDigested(trx, [...new Set(due)]);
    if (sessions.length > 0) {
      const days = sessions.map(({ agentId, createdAt }) => ({ agentId, day: dayOf(createdAt) }));
      const pages = new PagesOfDays(await selectPages(trx, days));
      await writeDigests(
        trx,
        (await withUnanswered(trx, sessions)).map((session) => toDigest(session, pages)),
      );
    }
    return due.length === AT_ONCE;
  });
}

type ReadSession = DigestedSession & { unanswered: boolean };

/** Reads the conversations of visitors once, here: whoever counts unanswered questions reads none. */
async function withUnanswered(trx: Trx, sessions: DigestedSession[]): Promise<ReadSession[]> {
  const talks = await selectTalks(trx, sessions.filter(counts));
  const unanswered = new Set(
    talks.filter((talk) => unansweredIn(talk).length > 0).map(({ id }) => id),
  );
  return sessions.map((session) => ({ ...session, unanswered: unanswered.has(session.id) }));
}

function counts({ test, isImported }: DigestedSession): boolean {
  return !test && !isImported;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Gives the first pages of an agent's day a row of their own. */
class PagesOfDays {
  readonly #known = new Map<string, Set<string>>();

  constructor(known: { agentId: string; day: string; page: string }[]) {
    for (const { agentId, day, page } of known) this.#of(agentId, day).add(page);
  }

  nameOf({ agentId, createdAt, page }: DigestedSession): string | null {
    const name = page === null ? undefined : pageNameOf(page);
    if (name === undefined) return null;
    const pages = this.#of(agentId, dayOf(createdAt));
    if (pages.size < MAX_PAGES) pages.add(name);
    return pages.has(name) ? name : "other";
  }

  #of(agentId: string, day: string): Set<string> {
    const key = `${day} ${agentId}`;
    const pages = this.#known.get(key) ?? new Set();
    this.#known.set(key, pages);
    return pages;
  }
}

function toDigest(session: ReadSession, pages: PagesOfDays): Digest {
  const { status, evaluation, email } = session;
  const verdict = evaluation?.qualification?.status;
  const talked = status !== "abandoned";
  const evaluated = status === "processed";
  return {
    session_id: session.id,
    account_id: session.accountId,
    created_at: session.createdAt,
    agent_id: session.agentId,
    terms: termsOf(session),
    counts: counts(session),
    version: String(session.agentVersion),
    page: counts(session) ? pages.nameOf(session) : null,
    language: session.language,
    entry: session.entry,
    device: session.device,
    microphone: session.microphone,
    talked,
    email_given: talked && email !== null,
    evaluated,
    qualified: evaluated && verdict === "qualified",
    delivered: evaluated && verdict === "qualified" && session.delivery === "delivered",
    failed: status === "error",
    cost_micros: session.costMicros,
    unpriced: session.unpriced,
    answers_ms: session.answersMs.map(roundMs),
    cuts_ms: session.cutsMs.map(roundMs),
    unanswered: session.unanswered,
  };
}

function termsOf(session: DigestedSession): string[] {
  const { evaluation, transcript, email } = session;
  const { questions = {}, insights = {}, customer_name: name } = evaluation ?? {};
  const said = (transcript ?? []).map(({ content }) => content);
  const answered = Object.entries(questions).filter(([, { answer }]) => answer !== undefined);
  return [
    ...wordTerms([name ?? "", email ?? "", ...said]),
    ...facetTerms({
      account: session.accountId,
      agent: session.agentId,
      test: session.test,
      status: session.status,
      ...(evaluation?.qualification && { verdict: evaluation.qualification.status }),
      ...(session.language !== null && { language: session.language }),
      ...(session.mode !== null && { mode: session.mode }),
      ...(session.device !== null && { device: session.device }),
      ...(session.entry !== null && { entry: session.entry }),
      ...(session.delivery !== null && { delivery: session.delivery }),
    }),
    ...answered.flatMap(([key]) => facetTerms({ answered: key })),
    ...Object.keys(insights).flatMap((key) => facetTerms({ insight: key })),
  ];
}

const LONGEST_MS = 60_000;

/** As exact as somebody reads it, so that a day has some hundred different times and not thousands. */
export function roundMs(ms: number): number {
  const step = ms < 1_000 ? 20 : ms < 10_000 ? 100 : 1_000;
  return Math.min(LONGEST_MS, Math.round(ms / step) * step);
}
