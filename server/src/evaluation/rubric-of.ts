import { readAgentAtVersion } from "#agents";
import type { AgentAtVersion, AgentVersion, CriterionItem } from "#agents";
import type { Db } from "#platform";
import type { Metadata, TurnRole } from "@svc/contract/types";

/** Returns the part of an agent that an evaluation needs. Persona and instructions are left out, so that they cannot leak into an evaluation. */
export function rubricOf({ config, knowledge }: AgentAtVersion): Rubric {
  return {
    names: [...new Set([config.name, config.brand.name])],
    languages: config.languages.map(({ code }) => code),
    defaultLanguage: config.defaultLanguage,
    recordLanguage: config.recordLanguage,
    questions: config.questions,
    insights: config.insights,
    ...(config.qualification && { qualification: config.qualification }),
    knowledge,
  };
}

/** Enough for the agents that talk at the same time; the oldest goes first. */
const KEPT = 200;

/** Rubrics by agent version, kept: a version never changes. */
export class Rubrics {
  readonly #db: Db;
  readonly #kept = new Map<string, Promise<Rubric>>();

  constructor(db: Db) {
    this.#db = db;
  }

  async of(agent: AgentVersion): Promise<Rubric> {
    const key = `${agent.agentId} ${agent.version}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const read = readAgentAtVersion(this.#db, agent).then(rubricOf);
    this.#kept.set(key, read);
    // A read that failed is not an answer to keep.
    read.catch(() => this.#kept.delete(key));
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return read;
  }
}

/** The conversation that is judged. */
export interface Conversation {
  /** The turns as heard: an interrupted assistant turn holds only what was heard. */
  turns: { role: TurnRole; content: string; interrupted: boolean }[];
  metadata: Metadata;
  /** The day on which it took place, as 2026-11-16: "next month" means nothing without it. */
  date?: string;
}

/** The criteria one by one. A text of the owner's that has not been split is one of them. */
export function itemsOf(qualification: Rubric["qualification"]): CriterionItem[] {
  const { qualified, disqualified, items } = qualification ?? {};
  if (items !== undefined) return items;
  return (["qualified", "disqualified"] as const).flatMap((side) => {
    const text = side === "qualified" ? qualified : disqualified;
    return text === undefined ? [] : [{ key: side, side, text }];
  });
}

/** The criteria of an evaluation: the part of an agent's configuration that an evaluation needs. */
export interface Rubric {
  /** Names that everybody may know: the agent's and the brand's. */
  names: string[];
  /** The agent's language codes. */
  languages: string[];
  defaultLanguage: string;
  /** The language of summaries, reasoning, answers and insights. */
  recordLanguage: string;
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: NonNullable<AgentAtVersion["config"]["qualification"]>;
  /** Texts of the agent's knowledge files. Never in the prompt; grounds for facts in summaries. */
  knowledge: string[];
}
