import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { KnowledgeIndex } from "./knowledge-index.ts";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import { selectStems } from "./knowledge-store.ts";

/** Finds at most four sections for a query in the language of the knowledge, the best first. */
export type SearchKnowledge = (
  query: string,
  /** Nothing rather than sections that share only some common words with the query. */
  options?: { onlyKnown?: boolean },
) => Promise<KnowledgeSection[]>;

/** An agent, as far as it is searched. All conversations of a version share one `knowledge`. */
interface SearchedAgent {
  config: Pick<AgentConfig, "recordLanguage" | "languages">;
  knowledge: KnowledgeSection[];
}

/** Searches the knowledge of agents, whether or not they are applied: it reads the texts that it is given. */
export class KnowledgeSearch {
  readonly #db: Db;
  /** Least recently used first. */
  readonly #kept = new Map<KnowledgeSection[], Promise<KnowledgeIndex>>();

  constructor(db: Db) {
    this.#db = db;
  }

  in(agent: SearchedAgent): SearchKnowledge {
    return async (query, { onlyKnown = false } = {}) => {
      const index = await this.#indexOf(agent);
      const { ranked, known } = await index.search(query.slice(0, MAX_QUERY_CHARACTERS));
      if (onlyKnown && known < MIN_KNOWN) return [];
      return ranked.slice(0, MAX_SECTIONS).map((at) => agent.knowledge[at]!);
    };
  }

  #indexOf({ config, knowledge }: SearchedAgent): Promise<KnowledgeIndex> {
    const codes = [config.recordLanguage, ...config.languages.map(({ code }) => code)];
    const dictionaries = [...new Set(codes.map(dictionaryOf))];
    const index =
      this.#kept.get(knowledge) ??
      KnowledgeIndex.of(knowledge, (words) => selectStems(this.#db, words, dictionaries));
    this.#kept.delete(knowledge);
    this.#kept.set(knowledge, index);
    // An index that failed for want of the database is made again.
    index.catch(() => this.#kept.delete(knowledge));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return index;
  }
}

const MAX_SECTIONS = 4;
const MAX_QUERY_CHARACTERS = 400;
/** Below, a question is mostly about something else. Chosen on questions of its own, not on those of the claim. */
const MIN_KNOWN = 0.5;
/** Five megabytes of text take about 60 MB here. */
const MAX_KEPT = 8;

function dictionaryOf(language: string): string {
  return DICTIONARIES.get(language.split("-")[0] ?? "") ?? "simple";
}

/** Those of every PostgreSQL that is supported; other languages are searched by whole words. */
const DICTIONARIES = new Map(
  Object.entries({
    ar: "arabic",
    da: "danish",
    de: "german",
    el: "greek",
    en: "english",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    id: "indonesian",
    it: "italian",
    lt: "lithuanian",
    nb: "norwegian",
    nl: "dutch",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sv: "swedish",
    tr: "turkish",
  }).map(([code, name]) => [code, `${name}_stem`]),
);
