import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import pg from "pg";
import { PgBoss } from "pg-boss";
import type { Job } from "pg-boss";

/**
 * The floor: jobs of bare pg-boss, each one signed POST over a kept connection, with nothing
 * recorded but that the job is done. `node bare-sender.ts <database> <slots> <connections>`; it
 * works from `go` to `stop`, and says so when the last one is done.
 */
export interface BareJob {
  url: string;
  secret: string;
  body: string;
}

export type BareOrder = "go" | "stop";

export const BARE_QUEUE = "bare-deliver";

if (import.meta.main)
  await serve(process.argv[2]!, Number(process.argv[3]), Number(process.argv[4]));

async function serve(databaseUrl: string, slots: number, connections: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  const agent = new Agent({ keepAlive: true, maxSockets: slots });
  let order: BareOrder = "stop";
  process.on("message", (given: BareOrder) => {
    order = given;
    if (order === "go")
      void sendWhile(() => order === "go", boss, agent, slots).then(() => process.send!("stopped"));
  });
  process.on("disconnect", () => process.exit());
  process.send!("ready");
}

async function sendWhile(
  isWanted: () => boolean,
  boss: PgBoss,
  agent: Agent,
  slots: number,
): Promise<void> {
  const sending = new Set<Promise<void>>();
  while (isWanted()) {
    const jobs = await boss.fetch<BareJob>(BARE_QUEUE, { batchSize: slots - sending.size });
    for (const job of jobs) {
      const one = send(boss, agent, job).then(() => void sending.delete(one));
      sending.add(one);
    }
    if (sending.size === 0) throw new Error("nothing is left to send");
    await Promise.race(sending);
  }
  await Promise.all(sending);
}

async function send(boss: PgBoss, agent: Agent, { id, data }: Job<BareJob>): Promise<void> {
  const signature = createHmac("sha256", data.secret).update(data.body).digest("hex");
  await new Promise<void>((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(data.body),
      "x-webhook-signature": signature,
    };
    request(data.url, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end(data.body);
  });
  await boss.complete(BARE_QUEUE, id);
}
