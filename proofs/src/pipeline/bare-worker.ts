import pg from "pg";
import { PgBoss } from "pg-boss";

/**
 * The control: pg-boss alone, worked off as the product works off its jobs, with nothing done in
 * between. `node bare-worker.ts <database> <slots>`
 */
const [, , url, slots] = process.argv;
const QUEUE = "bare";
const POLL_MS = 250;
const pool = new pg.Pool({ connectionString: url, max: 10 });
const boss = new PgBoss({
  db: { executeSql: (text, values) => pool.query(text, values) },
  schedule: false,
  migrate: false,
  registerInstance: false,
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
});
boss.on("error", (error) => console.error(error));
await boss.start();

let running = 0;
let isClaiming = false;
let again = false;

async function claim(): Promise<void> {
  again = true;
  if (isClaiming) return;
  isClaiming = true;
  while (again) {
    again = false;
    const free = Number(slots) - running;
    if (free === 0) break;
    const jobs = await boss.fetch(QUEUE, { batchSize: free });
    if (jobs.length === free) again = true;
    running += jobs.length;
    for (const { id } of jobs) void run(id);
  }
  isClaiming = false;
}

async function run(id: string): Promise<void> {
  await boss.complete(QUEUE, id);
  running -= 1;
  void claim();
}

setInterval(() => void claim(), POLL_MS);
process.send?.("ready");
