import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/**
 * The control: commits, then sends, and tries again from memory. `node fire-and-forget.ts
 * <database> <receiver> <ms between tries> <events a second>`
 */
const [, , databaseUrl, receiverUrl, retryMs, perSecond] = process.argv;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
pool.on("error", () => {});
pool.on("connect", (client) => client.on("error", () => {}));

const ATTEMPTS = 3;

async function send(id: number): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await fetch(receiverUrl!, {
      method: "POST",
      headers: { "webhook-id": `forgotten_${id}` },
      body: "{}",
    }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(Number(retryMs));
  }
}

for (;;) {
  try {
    const { rows } = await pool.query<{ id: number }>(
      "INSERT INTO forgotten_events DEFAULT VALUES RETURNING id",
    );
    void send(rows[0]!.id);
  } catch {
    // PostgreSQL is away.
  }
  await delay(1_000 / Number(perSecond));
}
