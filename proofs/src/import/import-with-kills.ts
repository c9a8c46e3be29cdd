import { setTimeout as delay } from "node:timers/promises";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Stage } from "../stage/stage.ts";
import { addCustomerOf, startSvc } from "./import-case.ts";
import type { ImportCase, SvcEnd, SvcProcess } from "./import-case.ts";
import { walkExport } from "./walk-export.ts";
import type { Walk } from "./walk-export.ts";

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

export const UNLIMITED: Record<string, string> = {
  SVC_EXPORT_RATE: "1000000",
  SVC_EXPORT_BURST: "1000000",
  SVC_MIGRATE: "off",
};

/**
 * Imports the same files into another database, one after another and killed by nobody. What the
 * kills left must be the same, to the millisecond.
 */
export async function importInPeace(
  stage: Stage,
  killed: { one: ImportCase; walk: Walk }[],
  folder: string,
): Promise<{ importSecs: number; differing: number }> {
  const database = await stage.cloneDatabase();
  const { url } = await stage.startServer(UNLIMITED, database);
  let importSecs = 0;
  let differing = 0;
  for (const { one, walk } of killed) {
    const customer = await addCustomerOf(database, one);
    const began = performance.now();
    await importCase(database, customer, one, folder).ended;
    importSecs += (performance.now() - began) / 1_000;
    const { stamps, changed } = await walkExport(url, customer, one.file.expected, folder);
    differing += [...stamps].filter(([id, atMs]) => walk.stamps.get(id) !== atMs).length;
    differing += Math.abs(stamps.size - walk.stamps.size) + changed.length;
  }
  return { importSecs, differing };
}
