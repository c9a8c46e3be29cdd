import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** The control's worker: takes a job off first and then does it. `node naive-worker.ts <database> <ms a job takes> <at once>` */
const [, , url, takesMs, atOnce] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: Number(atOnce) });
pool.on("error", () => {});
pool.on("connect", (client) => client.on("error", () => {}));

async function workOnOne(): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    "DELETE FROM naive_jobs WHERE id = (SELECT id FROM naive_jobs ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id",
  );
  await delay(Number(takesMs));
  for (const { id } of rows) await pool.query("INSERT INTO naive_done VALUES ($1)", [id]);
}

async function lane(): Promise<never> {
  for (;;) await workOnOne().catch(() => delay(100));
}

await Promise.all(Array.from({ length: Number(atOnce) }, lane));
