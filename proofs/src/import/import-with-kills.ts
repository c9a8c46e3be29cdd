import { setTimeout as delay } from "node:timers/promises";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { ImportCase } from "./import-case.ts";
import { startSvc } from "./svc-process.ts";
import type { SvcEnd, SvcProcess } from "./svc-process.ts";

export interface KilledImport {
  kills: number;
  /** Kills that found some of the file written and some not. */
  midway: number;
  end: SvcEnd;
}

/** Imports the case by the same command over and over, killed each time, until one run is let through. */
export async function importWithKills(
  database: TestDatabase,
  customer: Customer,
  one: ImportCase,
  plan: { kills: number; mayKill(): boolean; seed: number; folder: string },
): Promise<KilledImport> {
  const random = new Random(plan.seed);
  const total = one.file.sessions.length;
  let kills = 0;
  let midway = 0;
  for (; kills < plan.kills && plan.mayKill(); kills++) {
    const run = importCase(database, customer, one, plan.folder);
    // Most while it writes, some while it starts or checks.
    const written = Math.floor(((kills + random.next()) / (plan.kills + 1)) * total);
    if (random.chance(0.8)) {
      while (run.isRunning() && (await countImported(database, customer, one)) <= written)
        await delay(3);
    } else {
      await delay(random.integer(50, 1_200));
    }
    await delay(random.integer(0, 30));
    run.kill();
    const end = await run.ended;
    if (!end.killed) return { kills, midway, end };
    const count = await countImported(database, customer, one);
    if (count > 0 && count < total) midway += 1;
  }
  const end = await importCase(database, customer, one, plan.folder).ended;
  return { kills, midway, end };
}

export function importCase(
  database: TestDatabase,
  customer: Customer,
  { path, piped }: ImportCase,
  folder: string,
): SvcProcess {
  const argv = ["sessions", "import", piped ? "-" : path];
  argv.push("--account", customer.account.clientId, "--agent", "guide");
  return startSvc(database, argv, { cwd: folder, ...(piped && { stdin: path }) });
}

async function countImported(
  { pool }: TestDatabase,
  { account }: Customer,
  { there }: ImportCase,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::integer FROM sessions WHERE account_id = $1",
    [account.id],
  );
  return rows[0]!.count - there.length;
}
