import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A recorded conversation, with what must become of every sentence: see proofs/corpus/README.md. */
export interface Talk {
  id: string;
  agent: string;
  language: string;
  today: string;
  metadata?: Record<string, unknown>;
  turns: TalkTurn[];
  /** An honest judge, and what customers must get of its answer. */
  judge?: JudgeAnswer;
  published?: Published;
  must_not_publish?: string[];
  /** Careless or deceived ones. */
  other_judges?: {
    kind: string;
    answer: JudgeAnswer;
    published: Published;
    must_not_publish?: string[];
  }[];
}

/** What customers get. */
export interface Published {
  qualification: string;
  answered: string[];
  insights: string[];
  prospect_questions: number;
  objections: number;
  customer_name: boolean;
}

/** An answer of a judge, as far as it is read here. */
export interface JudgeAnswer {
  qualification?: { status: string; reasoning: string; because: unknown[] };
  conversation_summary?: string;
  summary?: string;
  prospect_summary?: string;
}

export interface TalkTurn {
  visitor?: string;
  action?: { confirm_email?: string; dismiss_card?: boolean; silent_secs?: number };
  reply?: {
    notes?: { question: string; quote: string }[];
    sentences: Sentence[];
    shows?: string;
    offers_email?: boolean | string;
    person?: unknown;
    searches?: string;
    language?: string;
    ends?: boolean;
  };
  session: "goes_on" | "ended";
}

export interface Sentence {
  say: string;
  must: "pass" | "hold";
  kind?: string;
  why?: string;
  asks?: string;
  calc?: string;
  again?: { say: string; must: "pass" | "hold" };
}

/** The talks of a corpus, which its `validate.py` has checked. */
export function readTalks(corpus: string): Talk[] {
  const folder = join(corpus, "talks");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  if (files.length === 0) throw new Error(`${folder} has no talks: expected files *.json.`);
  return files
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Talk);
}

/** Without white space, which nothing is compared by. */
export function bare(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/gu, "");
}

/** One is the other or a part of it: a server and a corpus end sentences at different places. */
export function isPart(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)];
  return a !== "" && b !== "" && (a.includes(b) || b.includes(a));
}
