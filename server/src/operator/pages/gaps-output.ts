import { gapSection } from "#agents";
import type { ListedAgent } from "#agents";
import { fold } from "#language";
import type { Db } from "#platform";
import { findGaps } from "#sessions";
import type { Gap } from "#sessions";
import type { AgentGap, AgentGaps } from "@svc/contract/types";

const MAX_QUOTES = 5;

/** What an agent could not answer, as the command line and the console tell it. */
export async function gapsOf(
  db: Db,
  { id, slug, config }: ListedAgent,
  { since, limit, maxSessions }: { since: Date; limit: number; maxSessions: number },
): Promise<AgentGaps> {
  const { gaps, sessions, readTo } = await findGaps(db, {
    agentId: id,
    knowledgeLanguage: config.recordLanguage,
    since,
    maxSessions,
  });
  return {
    agent_id: id,
    slug,
    since: since.toISOString(),
    sessions,
    ...(readTo && { read_to: readTo.toISOString() }),
    gaps: gaps.slice(0, limit).map(toGap),
    more: Math.max(0, gaps.length - limit),
  };
}

function toGap({ about, asked, sessions, reasons }: Gap): AgentGap {
  const [first, last] = [asked[0]!, asked.at(-1)!];
  const byWords = new Map(asked.map((one) => [fold(one.question), one]));
  const quotes = [...byWords.values()].toReversed().slice(0, MAX_QUOTES);
  const held = Map.groupBy(
    asked.flatMap((one) => one.held),
    (code) => code,
  );
  return {
    about,
    asked: asked.length,
    sessions,
    first_at: first.at.toISOString(),
    last_at: last.at.toISOString(),
    last_version: last.agentVersion,
    languages: [...new Set(asked.map(({ language }) => language))],
    reasons,
    held: Object.fromEntries([...held].map(([code, all]) => [code, all.length])),
    quotes: quotes.map(({ sessionId, at, language, question }) => ({
      session_id: sessionId,
      at: at.toISOString(),
      language,
      question,
    })),
    draft: gapSection({
      about,
      questions: quotes.map(({ question }) => question),
      sessions,
      since: first.at,
    }),
  };
}
