import { audit } from "#accounts";
import { findAgent, listAgents } from "#agents";
import { transact } from "#platform";
import type { Db, JobSender } from "#platform";
import { oneAhead, readBatches } from "./import-batches.ts";
import type { ImportBatch } from "./import-batches.ts";
import type { ImportTarget } from "./import-judge.ts";
import { addChecked, addImported, emptyReport } from "./import-report.ts";
import type { ImportReport } from "./import-report.ts";
import type { PlacedSession } from "./import-stamp.ts";
import { checkSessions, writeSessions } from "./import-write.ts";

export interface ImportRequest {
  account: { id: number; clientId: string };
  /** The id or slug of the agent that replaces every `agent_id`. */
  agent: string | undefined;
  /** Imports sessions without an evaluation and sends the jobs to evaluate them. */
  unevaluated: boolean;
  source: ImportSource;
  /** Checks everything and writes nothing. */
  dryRun: boolean;
  onProgress(done: number, total: number | undefined, what: string): void;
}

export interface ImportSource {
  /** For the audit. */
  name: string;
  open(): AsyncIterable<Uint8Array>;
  /** Then all of it is checked before the first session is written. Standard input cannot be read twice. */
  canBeReadTwice: boolean;
}

/**
 * Imports finished sessions of an earlier system, one JSON object per line. Each batch is one
 * transaction, and existing sessions are skipped, so that an interrupted import continues when it
 * is run again. Sends no webhooks.
 */
export async function importSessions(
  db: Db,
  jobs: JobSender,
  actor: string,
  request: ImportRequest,
): Promise<ImportReport> {
  const run = new ImportRun(db, jobs, actor, request, await findTarget(db, request));
  if (!request.dryRun && !request.source.canBeReadTwice) return run.read({ writing: true });
  const checked = await run.read({ writing: false });
  const nothingToWrite = request.dryRun || checked.refused > 0 || checked.ready === 0;
  return nothingToWrite ? checked : run.read({ writing: true, total: checked.read });
}

async function findTarget(
  db: Db,
  { account, agent, unevaluated }: ImportRequest,
): Promise<ImportTarget> {
  const agents = await listAgents(db, account.id);
  return {
    accountId: account.id,
    agentIds: new Set(agents.map(({ id }) => id)),
    rules: {
      agentId: agent === undefined ? undefined : (await findAgent(db, agent, account.id)).id,
      unevaluated,
    },
  };
}

class ImportRun {
  readonly #db: Db;
  readonly #jobs: JobSender;
  readonly #actor: string;
  readonly #request: ImportRequest;
  readonly #target: ImportTarget;
  #previous: PlacedSession | undefined;

  constructor(
    db: Db,
    jobs: JobSender,
    actor: string,
    request: ImportRequest,
    target: ImportTarget,
  ) {
    this.#db = db;
    this.#jobs = jobs;
    this.#actor = actor;
    this.#request = request;
    this.#target = target;
  }

  /** Reads the source once. */
  async read({ writing, total }: { writing: boolean; total?: number }): Promise<ImportReport> {
    const { source, onProgress } = this.#request;
    const report = emptyReport();
    for await (const batch of oneAhead(readBatches(source.open(), this.#target.rules))) {
      report.read += batch.read;
      // After an invalid line nothing more is written, but all further problems are still reported.
      const write = writing && report.refused + batch.problems.length === 0;
      await (write ? this.#write(batch, report) : this.#check(batch, report));
      onProgress(report.read, total, write ? "sessions imported" : "sessions checked");
    }
    onProgress(report.read, report.read, "sessions read");
    return report;
  }

  async #check({ sessions, problems }: ImportBatch, report: ImportReport): Promise<void> {
    const checked = await checkSessions(this.#db, this.#target, sessions);
    addChecked(report, { ...checked, problems: [...problems, ...checked.problems] });
  }

  /** Each batch has its own audit entry, so that they add up to what is there even if the run is killed. */
  async #write({ sessions }: ImportBatch, report: ImportReport): Promise<void> {
    const { account, source, unevaluated } = this.#request;
    const written = await transact(this.#db, async (trx) => {
      const outcome = await writeSessions(trx, this.#jobs, this.#target, sessions, this.#previous);
      const imported = outcome.imported.length;
      if (imported === 0) return outcome;
      await audit(trx, {
        actor: this.#actor,
        action: "session.import",
        accountId: account.id,
        subject: account.clientId,
        detail: { file: source.name, imported, ...(unevaluated && { unevaluated }) },
      });
      return outcome;
    });
    this.#previous = written.last;
    addChecked(report, written);
    addImported(report, written);
  }
}
