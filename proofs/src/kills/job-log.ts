import type { TestDatabase } from "@svc/server/testing";

/** A job was taken or completed, as the database saw it. */
export interface JobEntry {
  job: string;
  name: string;
  /** How often a run of it had been cut short by then. */
  tries: number;
  state: "active" | "completed";
  /** Name of the process. */
  worker: string;
  atMs: number;
}

/** From now on the database records which process takes and completes which job. */
export async function watchJobs({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE TABLE job_log (job uuid, name text, data jsonb, tries integer, state text, worker text, at timestamptz);
    CREATE FUNCTION note_job() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO job_log
      VALUES (NEW.id, NEW.name, NEW.data, NEW.retry_count, NEW.state, current_setting('application_name'), clock_timestamp());
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER note_job AFTER UPDATE ON pgboss.job FOR EACH ROW
      WHEN (NEW.state IN ('active', 'completed') AND NEW.state <> OLD.state) EXECUTE FUNCTION note_job();`);
}

/** Oldest first. */
export async function readJobLog({ pool }: TestDatabase): Promise<JobEntry[]> {
  const { rows } = await pool.query<JobEntry>(
    `SELECT job, name, tries, state, worker, extract(epoch FROM at)::float8 * 1000 AS "atMs" FROM job_log ORDER BY at`,
  );
  return rows;
}

/** How many runs of each delivery were cut short, by its id. */
export async function readCutDeliveries({ pool }: TestDatabase): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ id: number; cut: number }>(
    `SELECT (data->>'deliveryId')::integer AS id,
       (count(*) FILTER (WHERE state = 'active') - count(*) FILTER (WHERE state = 'completed'))::integer AS cut
     FROM job_log WHERE name = 'deliver' GROUP BY 1`,
  );
  return new Map(rows.map(({ id, cut }) => [id, cut]));
}

/** What cut runs short: the end of one process or, without its name, of all connections. */
export interface Interruption {
  atMs: number;
  worker?: string;
}

/**
 * A statement that was under way may still take a job in the name of a process that is dead, and a
 * live process may use connections that PostgreSQL closed when it was killed.
 */
const ECHO_MS = 5_000;

/**
 * For each run that was cut short: how long until the job ran again. `unexplained`: jobs that ran
 * again though nothing had cut them short.
 */
export function recoveries(
  entries: JobEntry[],
  interruptions: Interruption[],
): { gapsMs: number[]; unexplained: string[] } {
  const before = new Map<string, JobEntry>();
  const gapsMs: number[] = [];
  const unexplained: string[] = [];
  for (const entry of entries) {
    if (entry.state !== "active") continue;
    const last = before.get(entry.job);
    before.set(entry.job, entry);
    if (last === undefined) continue;
    const cut = interruptions.find(
      ({ atMs, worker }) =>
        atMs + ECHO_MS >= last.atMs &&
        atMs <= entry.atMs &&
        (worker ?? last.worker) === last.worker,
    );
    if (cut === undefined) unexplained.push(`${entry.name} ${entry.job}`);
    else gapsMs.push(entry.atMs - Math.max(cut.atMs, last.atMs));
  }
  return { gapsMs, unexplained };
}
