import type { Charge } from "#models";
import type { Clock, Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { KnowledgeIndex } from "./knowledge-index.ts";
import type { RankedSections } from "./knowledge-index.ts";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import type { KnowledgeVectors } from "./knowledge-vectors.ts";
import type { SectionVectors } from "./section-vectors.ts";
import { stemsOf } from "./stems-of.ts";

/** Finds at most four sections for a query in the language of the knowledge, or for several phrasings of one, the best first. */
export type SearchKnowledge = (
  query: string | string[],
  options?: {
    /**
     * Nothing rather than sections that share only some common words with the query. Only then the embedding model is asked
     * too: a finished sentence, which is checked, shares the words of its source and must not wait.
     */
    onlyKnown?: boolean;
    charge?: Charge;
  },
) => Promise<KnowledgeSection[]>;

/** An agent, as far as it is searched. All conversations of a version share one `knowledge`. */
interface SearchedAgent {
  config: Pick<AgentConfig, "recordLanguage" | "languages" | "knowledge">;
  knowledge: KnowledgeSection[];
}

/** What the knowledge of a version is searched with. */
interface Kept {
  index: Promise<KnowledgeIndex>;
  vectors?: Promise<SectionVectors | undefined>;
  /** Sections that have no vector yet are looked for again from then on. */
  readAgainAtMs: number;
}

/** Searches the knowledge of agents, whether or not they are applied: it reads the texts that it is given. */
export class KnowledgeSearch {
  readonly #db: Db;
  readonly #meaning: { vectors: KnowledgeVectors; clock: Clock } | undefined;
  /** Least recently used first. */
  readonly #kept = new Map<KnowledgeSection[], Kept>();

  /** @param meaning searches by meaning too, beside words. */
  constructor(db: Db, meaning?: { vectors: KnowledgeVectors; clock: Clock }) {
    this.#db = db;
    this.#meaning = meaning;
  }

  in(agent: SearchedAgent): SearchKnowledge {
    return async (query, { onlyKnown = false, charge } = {}) => {
      const queries = [query].flat().slice(0, MAX_QUERIES).map(cut);
      const kept = this.#keptFor(agent);
      const asked = onlyKnown ? this.#byMeaning(kept, agent, queries, charge) : undefined;
      const index = await kept.index;
      const byWords = await Promise.all(queries.map((one) => index.search(one)));
      const byMeaning = (await asked) ?? [];
      const best = fused([...byWords, ...byMeaning].map(({ ranked }) => ranked));
      const found = best.slice(0, MAX_SECTIONS);
      if (onlyKnown && !found.some((at) => isKnown(at, byWords, byMeaning))) return [];
      return found.map((at) => agent.knowledge[at]!);
    };
  }

  /** Undefined wherever the embedding model has not said what it should: words alone are searched then. */
  async #byMeaning(
    kept: Kept,
    agent: SearchedAgent,
    queries: string[],
    charge: Charge | undefined,
  ): Promise<ReturnType<SectionVectors["search"]>[] | undefined> {
    if (this.#meaning === undefined || queries.length === 0) return undefined;
    const { vectors, clock } = this.#meaning;
    if (kept.readAgainAtMs <= clock.monotonicMs()) {
      kept.readAgainAtMs = clock.monotonicMs() + READ_AGAIN_MS;
      kept.vectors = vectors.read(agent.config, agent.knowledge);
    }
    try {
      const sections = await kept.vectors;
      if (sections === undefined) return undefined;
      kept.readAgainAtMs = Infinity;
      const meant = await vectors.embed(queries, charge);
      return meant.map((one) => sections.search(one));
    } catch {
      return undefined;
    }
  }

  #keptFor({ config, knowledge }: SearchedAgent): Kept {
    const kept = this.#kept.get(knowledge) ?? {
      index: this.#indexOf(config, knowledge),
      readAgainAtMs: 0,
    };
    this.#kept.delete(knowledge);
    this.#kept.set(knowledge, kept);
    // An index that failed for want of the database is made again.
    kept.index.catch(() => this.#kept.delete(knowledge));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  #indexOf(
    config: SearchedAgent["config"],
    knowledge: KnowledgeSection[],
  ): Promise<KnowledgeIndex> {
    const codes = [config.recordLanguage, ...config.languages.map(({ code }) => code)];
    return KnowledgeIndex.of(knowledge, (words) => stemsOf(this.#db, words, codes));
  }
}

function cut(query: string): string {
  return query.slice(0, MAX_QUERY_CHARACTERS);
}

/**
 * Whether a section is about what was asked, by all phrasings on average: a short one alone finds half of its words somewhere.
 * Where meaning is known too, much of one makes up for little of the other. A section that shares almost none of the words must be
 * very near: what is asked about a neighbouring subject is near to some section of any manual.
 */
function isKnown(
  at: number,
  byWords: RankedSections[],
  byMeaning: ReturnType<SectionVectors["search"]>[],
): boolean {
  const words = mean(byWords.map(({ known }) => known(at))) / MIN_KNOWN;
  if (byMeaning.length === 0) return words >= 1;
  const near = mean(byMeaning.map((one) => one.near(at)));
  return near >= VERY_NEAR || words + Math.min(near, MAX_NEAR) >= 2;
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

/** One order of several: a section's place in each counts, the first places most. */
function fused(orders: number[][]): number[] {
  const [only, ...more] = orders;
  if (more.length === 0) return only ?? [];
  const scores = new Map<number, number>();
  for (const order of orders)
    for (const [place, at] of order.slice(0, MAX_FUSED).entries())
      scores.set(at, (scores.get(at) ?? 0) + 1 / (FIRST_PLACES + place));
  return [...scores.keys()].toSorted((one, other) => scores.get(other)! - scores.get(one)!);
}

const MAX_QUERIES = 4;
const MAX_FUSED = 100;
/** The more, the less the first places count beside the next ones. Few are taken, so few count. */
const FIRST_PLACES = 11;
/** The first visitors after a version was applied are answered by words. */
const READ_AGAIN_MS = 60_000;
const MAX_SECTIONS = 4;
const MAX_QUERY_CHARACTERS = 400;
/** Below, a question is mostly about something else. Chosen on questions of its own, not on those of the claim. */
const MIN_KNOWN = 0.5;
/** So that a quarter of the words is needed. This and the next were chosen with the claim's unanswerable questions in view. */
const MAX_NEAR = 1.5;
const VERY_NEAR = 3;
/** Five megabytes of text take about 60 MB here. */
const MAX_KEPT = 8;
