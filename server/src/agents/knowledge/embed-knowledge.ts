import { isModelFailure, UsageSum } from "#models";
import type { EmbeddingModel } from "#models";
import { defineJob, transact } from "#platform";
import type { Claim, Db, Job, JobSender, Log, Trx } from "#platform";
import * as z from "zod";
import { readAgentAtVersion } from "../versions/agent.ts";
import type { AgentVersion } from "../versions/agent.ts";
import { isLarge, knowledgeSections } from "./knowledge-sections.ts";
import { addAgentCost, selectCurrentVersions } from "./knowledge-store.ts";
import { KnowledgeVectors } from "./knowledge-vectors.ts";

/** Has an embedding model say what the sections of a version mean. Sent by the transaction that writes the version. */
export const embedKnowledge: Job<AgentVersion & { timesAsked: number }> = defineJob({
  name: "embed-knowledge",
  payload: z.strictObject({
    agentId: z.string(),
    version: z.int().positive(),
    timesAsked: z.int().nonnegative(),
  }),
  // Some 90 requests for five megabytes. What was stored by then is not asked for again.
  expireInSecs: 900,
});

/** For agents that were applied before there was an embedding model, or this one. */
export async function embedCurrentVersions(db: Db, jobs: JobSender): Promise<void> {
  await transact(db, async (trx) => {
    const versions = await selectCurrentVersions(trx);
    await sendEmbedding(trx, jobs, versions);
  });
}

export async function sendEmbedding(
  trx: Trx,
  jobs: JobSender,
  versions: AgentVersion[],
): Promise<void> {
  const payloads = versions.map(({ agentId, version }) => ({ agentId, version, timesAsked: 0 }));
  if (payloads.length > 0) await jobs.send(trx, embedKnowledge, payloads);
}

type EmbedClaim = Claim<AgentVersion & { timesAsked: number }>;

/** Does the job. Until it is done, and wherever it fails, knowledge is searched by its words. */
export class KnowledgeEmbedder {
  readonly #options: { db: Db; jobs: JobSender; log: Log; model: EmbeddingModel | undefined };

  constructor(options: { db: Db; jobs: JobSender; log: Log; model: EmbeddingModel | undefined }) {
    this.#options = options;
  }

  async run(claim: EmbedClaim): Promise<void> {
    const { db, log, model } = this.#options;
    const { agentId, version, timesAsked } = claim.payload;
    if (model === undefined) return this.giveUp(claim);
    const { config, knowledge } = await readAgentAtVersion(db, claim.payload);
    const files = config.knowledge.map(({ path, sha256 }, index) => ({
      sha256,
      sections: knowledgeSections([{ path, text: knowledge[index] ?? "" }]),
    }));
    if (!isLarge(files.flatMap(({ sections }) => sections))) return this.giveUp(claim);
    const usage = new UsageSum();
    let failure: unknown;
    try {
      const { signal } = claim;
      await new KnowledgeVectors(db, model).write(files, { signal, charge: usage.charge });
    } catch (error) {
      if (!isModelFailure(error)) throw error;
      failure = error;
      log.warn(
        { agent: agentId, version, model: model.name, err: error },
        "knowledge could not be embedded",
      );
    }
    await transact(db, async (trx) => {
      await claim.complete(trx);
      await addAgentCost(trx, agentId, usage.all.costMicros);
      const afterSecs = AGAIN_SECS[timesAsked];
      if (failure === undefined || afterSecs === undefined) return;
      const again = { agentId, version, timesAsked: timesAsked + 1 };
      await this.#options.jobs.send(trx, embedKnowledge, [again], { afterSecs });
    });
  }

  /** Leaves the version to be searched by its words. */
  async giveUp(claim: EmbedClaim): Promise<void> {
    await transact(this.#options.db, (trx) => claim.complete(trx));
  }
}

/** Until the provider is back, at most for about a day; a restart begins anew. */
const AGAIN_SECS = [10, 60, 300, 1_800, 3_600, 7_200, 21_600, 43_200];
