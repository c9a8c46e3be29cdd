import { setTimeout as delay } from "node:timers/promises";
import { createTransport } from "nodemailer";
import pg from "pg";

/**
 * The control: the same kinds of work as the pipeline's, done without its care. It takes a job off
 * before the job is done, sends an event after the commit and retries from memory, and records a
 * mail after it was sent. `node careless-worker.ts <database> <receiver> <port of a mail server>`
 */
export const CARELESS = { jobTakesMs: 250, attempts: 3, retryMs: 2_000, eventsPerSecond: 4 };

if (import.meta.main) await work(process.argv.slice(2));

async function work([databaseUrl, receiverUrl = "", smtpPort]: string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 6 });
  // PostgreSQL is killed too.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const transport = createTransport({ host: "127.0.0.1", port: Number(smtpPort), ignoreTLS: true });

  async function doJob(): Promise<void> {
    const { rows } = await pool.query<{ id: number }>(
      `UPDATE careless_jobs SET taken_at = clock_timestamp() WHERE id =
         (SELECT id FROM careless_jobs WHERE taken_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1)
       RETURNING id`,
    );
    await delay(CARELESS.jobTakesMs);
    await pool.query("UPDATE careless_jobs SET is_done = true WHERE id = $1", [rows[0]!.id]);
  }
  async function sendEvent(id: number): Promise<void> {
    for (let attempt = 1; attempt <= CARELESS.attempts; attempt++) {
      const headers = { "webhook-id": `careless_${id}` };
      const answer = await fetch(receiverUrl, { method: "POST", headers, body: "{}" }).catch(
        () => undefined,
      );
      if (answer?.ok) return;
      await delay(CARELESS.retryMs);
    }
  }
  async function writeEvent(): Promise<void> {
    const { rows } = await pool.query<{ id: number }>(
      "INSERT INTO careless_events DEFAULT VALUES RETURNING id",
    );
    void sendEvent(rows[0]!.id);
    await delay(1_000 / CARELESS.eventsPerSecond);
  }
  async function sendMail(): Promise<void> {
    const { rows } = await pool.query<{ id: number }>(
      "SELECT coalesce(max(id), 0) + 1 AS id FROM careless_mails",
    );
    const messageId = `<careless.${rows[0]!.id}@svc.test>`;
    const people = { from: "hello@svc.test", to: "ada@customer.test" };
    await transport.sendMail({ ...people, subject: "Hello", text: "Hello.", messageId });
    await pool.query("INSERT INTO careless_mails VALUES ($1)", [rows[0]!.id]);
  }
  const repeat = async (task: () => Promise<void>): Promise<never> => {
    for (;;) await task().catch(() => delay(100));
  };
  await Promise.all([doJob, doJob, doJob, writeEvent, sendMail].map(repeat));
}
