import { createHash } from "node:crypto";
import type { Charge, EmbeddingModel } from "#models";
import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import type { KnowledgeSection } from "./knowledge-sections.ts";
import { insertVectors, selectVectors } from "./knowledge-store.ts";
import { SectionVectors } from "./section-vectors.ts";

/** A file of an agent's knowledge and its sections. */
export interface EmbeddedFile {
  sha256: string;
  sections: KnowledgeSection[];
}

/** Has a model say what sections mean, stores that, and reads it back for a search. */
export class KnowledgeVectors {
  readonly #db: Db;
  readonly #model: EmbeddingModel;
  #strangers: Promise<Float32Array[]> | undefined;

  constructor(db: Db, model: EmbeddingModel) {
    this.#db = db;
    this.#model = model;
  }

  /** Asks for every section that is not stored, and stores each batch, so that whoever is cut short goes on where it stopped. */
  async write(
    files: EmbeddedFile[],
    { signal, charge }: { signal: AbortSignal; charge: Charge },
  ): Promise<void> {
    for (const { sha256, sections } of files) {
      const stored = await selectVectors(this.#db, this.#model.name, [sha256]);
      const texts = new Map(sections.map((one) => [textOf(one), hashOf(textOf(one))]));
      const missing = [...texts].filter(([, hash]) => !stored.has(hash));
      for (let at = 0; at < missing.length; at += BATCH) {
        signal.throwIfAborted();
        const batch = missing.slice(at, at + BATCH);
        const vectors = await this.#model.embed({
          texts: batch.map(([text]) => text),
          timeoutMs: BATCH_TIMEOUT_MS,
          signal,
          charge,
        });
        const rows = batch.map(([, hash], index) => ({ hash, vector: vectors[index]! }));
        await insertVectors(this.#db, this.#model.name, sha256, rows);
      }
    }
  }

  /** Undefined until every section has its vector. */
  async read(
    { knowledge: files }: Pick<AgentConfig, "knowledge">,
    sections: KnowledgeSection[],
  ): Promise<SectionVectors | undefined> {
    const hashes = files.map(({ sha256 }) => sha256);
    const stored = await selectVectors(this.#db, this.#model.name, hashes);
    const vectors = sections.map((one) => stored.get(hashOf(textOf(one))));
    if (vectors.length === 0 || vectors.includes(undefined)) return undefined;
    this.#strangers ??= this.#model.embed({ texts: STRANGE, timeoutMs: BATCH_TIMEOUT_MS });
    const strangers = await this.#strangers.catch(() => (this.#strangers = undefined));
    const isSame = vectors.every((one) => one!.length === strangers?.[0]?.length);
    return isSame ? new SectionVectors(vectors as Float32Array[], strangers!) : undefined;
  }

  /** What queries mean. Throws if the model does not say so at once: a visitor waits. */
  embed(texts: string[], charge: Charge | undefined): Promise<Float32Array[]> {
    return this.#model.embed({ texts, timeoutMs: QUERY_TIMEOUT_MS, charge });
  }
}

const BATCH = 64;
const BATCH_TIMEOUT_MS = 60_000;
/** A visitor waits. */
export const QUERY_TIMEOUT_MS = 800;

function textOf({ name, text }: KnowledgeSection): string {
  return `${name}\n${text}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Questions about nothing that an owner writes down. How near texts are that have nothing in common differs from model to model:
 * these show it, so that "not known" needs no figure of its own for each.
 */
const STRANGE = [
  "Which planet has the most moons?",
  "How do I get candle wax out of a tablecloth?",
  "Who painted the ceiling of that chapel in Rome?",
  "My cat keeps sneezing, is that normal?",
  "How many eggs go into a sponge cake?",
  "What time does the last ferry leave?",
  "Can you recommend a novel about the sea?",
  "Why do leaves turn red in autumn?",
  "Which stretches help against a stiff neck?",
  "How do you say good night in Finnish?",
  "When was the first marathon run?",
  "How do I prune an old apple tree?",
  "What should I wear to a summer wedding?",
  "Is it safe to swim after a thunderstorm?",
  "Which cheese goes with pears?",
  "How do I tune a violin by ear?",
  "What does a red sky in the morning mean?",
  "How old do tortoises get?",
  "Where can I rent skis for a weekend?",
  "How do I teach a child to ride a bicycle?",
];
