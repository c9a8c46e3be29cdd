import { setTimeout as delay } from "node:timers/promises";
import { end, say, start } from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import pg from "pg";
import { walkInText } from "../journeys/api-journey.ts";
import { checkSessions, countOpen } from "../kills/findings.ts";
import { persist } from "../kills/load.ts";
import { addAsker, talk } from "../pipeline/talks.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { TALKS } from "../talk/talks.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import type { PgBouncer, PoolMode } from "./pgbouncer.ts";

/** The whole product, which reaches PostgreSQL through PgBouncer alone. */
export interface Pooled {
  mode: PoolMode;
  bouncer: PgBouncer;
  product: WholeProduct;
}

export async function openPooled({ onEnd }: Tools): Promise<Pooled[]> {
  const all: Pooled[] = [];
  for (const mode of ["session", "transaction"] as const) {
    const opened = Promise.withResolvers<PgBouncer>();
    const product = await openWholeProduct(onEnd, async ({ cluster, database }) => {
      const bouncer = await startPgBouncer(onEnd, cluster.url, mode);
      opened.resolve(bouncer);
      return {
        SVC_DATABASE_URL: bouncer.through(database.url),
        SVC_EXPORT_DATABASE_URL: bouncer.through(database.exportUrl),
      };
    });
    all.push({ mode, product, bouncer: await opened.promise });
  }
  return all;
}

const SESSIONS = 30;

export const pooledIsTheSame: Claim<Pooled[]> = {
  promise:
    "Behind PgBouncer, in session and in transaction mode, a demo reaches webhook and export, and nothing is lost when the pooler, its backends or the service are killed",
  bound: "0 faults and 0 lost or doubled in both modes, former start-up parameters are refused",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools, modes) => {
    const found = await Promise.all(
      modes.map(async (pooled) => {
        const { faults } = await walkInText(pooled.product, TALKS[0]!);
        faults.push(...(await killUnderLoad(tools, pooled)));
        const refusal = await withStartupParameter(pooled);
        tools.say(`${pooled.mode}: ${faults.join("; ") || "whole"}; control: ${refusal}`);
        return { faults, isRefused: refusal.includes("unsupported startup parameter") };
      }),
    );
    const faults = found.flatMap((one) => one.faults);
    return {
      figure: `${faults.length} faults in ${modes.length} modes`,
      ok: faults.length === 0 && found.every(({ isRefused }) => isRefused),
      size: `${modes.length * SESSIONS} sessions`,
    };
  },
};

/** Control: limits in the login, as before. */
async function withStartupParameter({ bouncer, product }: Pooled): Promise<string> {
  const connectionString = bouncer.through(product.stage.database.url);
  const client = new pg.Client({ connectionString, statement_timeout: 1_000 });
  client.on("error", () => {});
  return client.connect().then(
    () => "taken",
    (error: unknown) => String(error),
  );
}

async function killUnderLoad({ timeLeftMs }: Tools, pooled: Pooled): Promise<string[]> {
  const { product, bouncer } = pooled;
  const { database } = product.stage;
  const customer = await addAsker(database);
  const ids: string[] = [];
  const loading = (async () => {
    for (let n = 1; n <= SESSIONS; n++) ids.push(await playOne(product, customer, n));
  })();
  await delay(500);
  await bouncer.kill();
  await delay(500);
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'svc%'",
  );
  process.kill(product.server.pid, "SIGKILL");
  product.server = await product.serve();
  await loading;
  while ((await countOpen(database, customer)) > 0 && timeLeftMs() > 3_000) await delay(200);
  const { lost, doubled, unsettled } = await checkSessions(database, customer, ids);
  return lost + doubled + unsettled === 0
    ? []
    : [`${lost} lost, ${doubled} doubled, ${unsettled} unsettled of ${SESSIONS}`];
}

async function playOne({ stage }: WholeProduct, customer: Customer, n: number): Promise<string> {
  const { db } = stage.database;
  const session = await persist(() => start(db, customer));
  await persist(() => say(db, session, talk(n)));
  await persist(() => end(db, session));
  await delay(100);
  return session.id;
}

/** What PostgreSQL must stop, by pool, in seconds. */
const LIMITS = { svc: 10, "svc-export": 3, "svc-pipeline": 10, "svc-queue": 30 };
/** A second later the client gives up by itself, which PostgreSQL does not notice. */
const GRACE_SECS = 0.8;
const HELD_MS = 33_000;

export const pooledLimitsHold: Claim<Pooled[]> = {
  promise:
    "Behind PgBouncer, in both modes, PostgreSQL stops what runs longer than its pool allows, on every pool",
  bound: `each pool's waits end within ${GRACE_SECS} s after its limit, one without a limit is seen to go on`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ say: tell }, modes) => {
    const found = await Promise.all(
      modes.map(async (pooled) => {
        const waits = await waitForLocks(pooled);
        tell(`${pooled.mode}: ${JSON.stringify(Object.fromEntries(waits))}`);
        return waits;
      }),
    );
    const over = found.flatMap((waits) =>
      Object.entries(LIMITS).filter(([pool, secs]) => {
        const longest = waits.get(pool) ?? 0;
        return longest < secs - 1 || longest > secs + GRACE_SECS;
      }),
    );
    return {
      figure: `${over.length} of ${modes.length * Object.keys(LIMITS).length} limits not kept`,
      ok: over.length === 0 && found.every((waits) => (waits.get("control") ?? 0) > 31),
    };
  },
};

/** Holds locks that each pool of the service must wait for. Returns the longest wait by pool, in seconds. */
async function waitForLocks({ product, bouncer }: Pooled): Promise<Map<string, number>> {
  const { stage, server, customer, agentId } = product;
  const { database } = stage;
  const asker = await addAsker(database);
  const longest = new Map<string, number>();
  const holder = await database.pool.connect();
  await holder.query("BEGIN");
  // The pipeline settles a session, the export reads a page, a visitor starts.
  await holder.query("LOCK TABLE session_exports, visits");
  await playOne(product, asker, 1);
  const asked = [
    fetch(`${server.url}/v1/sessions.json`, {
      headers: { authorization: `Bearer ${customer.token}` },
    }),
    fetch(`${server.url}/sdk/v1/sessions`, startOf(agentId)),
  ];
  const connectionString = `${bouncer.through(database.url)}?application_name=control`;
  const control = new pg.Client({ connectionString });
  control.on("error", () => {});
  await control.connect();
  const waiting = control.query("SELECT count(*) FROM session_exports").catch(() => undefined);
  await delay(2_000);
  await holder.query("LOCK TABLE pgboss.job");
  for (const until = Date.now() + HELD_MS; Date.now() < until; await delay(100)) {
    const { rows } = await database.pool.query<{ pool: string; secs: number }>(
      `SELECT application_name AS pool, max(extract(epoch FROM clock_timestamp() - query_start))::float8 AS secs
       FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' GROUP BY 1`,
    );
    for (const { pool, secs } of rows) longest.set(pool, Math.max(secs, longest.get(pool) ?? 0));
  }
  await holder.query("COMMIT");
  holder.release();
  await Promise.all([waiting, ...asked.map((one) => one.catch(() => undefined))]);
  await control.end();
  return longest;
}

function startOf(agentId: string): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      agent_id: agentId,
      start_key: crypto.randomUUID(),
      mode: "text",
      language: "en",
      metadata: {},
      page: "https://www.example.com/",
      notice: { text: "An AI speaks.", language: "en", accepted_at: "2026-01-01T00:00:00Z" },
    }),
  };
}
