import { setTimeout as delay } from "node:timers/promises";
import { transact } from "#platform";
import type { JobSender } from "#platform";
import { addCustomer, addReceiver, captureLog, evaluateAgain, playEvaluated } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { sql } from "kysely";
import { describe, expect, onTestFinished, vi } from "vitest";
import { removeEndpoint, setEndpointState } from "../endpoints/endpoint.ts";
import { admitDue } from "./delivery-store.ts";
import { Dispatcher, SLOTS } from "./dispatcher.ts";

const HOOK = "https://crm.example.com/svc";

interface Lane {
  endpointId: string;
  /** Deliveries of that many sessions, due that long ago; negative for the future. */
  add(count: number, options?: { dueSecsAgo?: number; attempts?: number }): Promise<string[]>;
}

/** An endpoint with deliveries as they are written, but for their sessions, which are made up. */
async function openLane(database: TestDatabase): Promise<Lane> {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  const { id: endpointId } = await addReceiver(db, customer, HOOK);
  await playEvaluated(db, customer);
  await pool.query(
    "UPDATE deliveries SET state = 'delivered', finished_at = now() WHERE endpoint_id = $1",
    [endpointId],
  );
  return {
    endpointId,
    add: async (count, { dueSecsAgo = 1, attempts = 0 } = {}) => {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO deliveries (endpoint_id, event_id, session_id, due_at, attempts, created_at)
         SELECT $1, (SELECT event_id FROM deliveries WHERE endpoint_id = $1 LIMIT 1), gen_random_uuid(), now() - make_interval(secs => $3), $4, now()
         FROM generate_series(1, $2) RETURNING id`,
        [endpointId, count, dueSecsAgo, attempts],
      );
      return rows.map(({ id }) => id);
    },
  };
}

async function dispatch({ db }: TestDatabase): Promise<string[]> {
  const ids = await transact(db, (trx) => admitDue(trx, { slots: SLOTS, limit: 200 }));
  return ids.toSorted((a, b) => Number(a) - Number(b));
}

async function finish({ pool }: TestDatabase, ids: string[]): Promise<void> {
  await pool.query(
    "UPDATE deliveries SET state = 'delivered', finished_at = now() WHERE id = ANY ($1)",
    [ids],
  );
}

async function idsOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM deliveries ORDER BY id");
  return rows.map(({ id }) => id);
}

// W8
describe("an endpoint's slots", () => {
  databaseTest("are eight, given as they get free", async ({ database }) => {
    const { add } = await openLane(database);
    const ids = await add(20);
    expect(await dispatch(database)).toEqual(ids.slice(0, 8));
    expect(await dispatch(database)).toEqual([]);
    await finish(database, ids.slice(2, 5));
    expect(await dispatch(database)).toEqual(ids.slice(8, 11));
  });

  databaseTest("go to retries first, and to nothing before it is due", async ({ database }) => {
    const { add } = await openLane(database);
    const [older] = await add(1, { dueSecsAgo: 600 });
    const fresh = await add(7, { dueSecsAgo: 300 });
    const retries = await add(3, { dueSecsAgo: 1, attempts: 1 });
    await add(2, { dueSecsAgo: -30, attempts: 2 });
    expect(await dispatch(database)).toEqual([older, ...fresh.slice(0, 4), ...retries]);
  });

  databaseTest("are each endpoint's own, whatever another one's backlog", async ({ database }) => {
    const slow = await openLane(database);
    const quick = await openLane(database);
    await slow.add(10_000, { dueSecsAgo: 3_600 });
    const [id] = await quick.add(1);
    expect(await dispatch(database)).toHaveLength(9);
    const { rows } = await database.pool.query("SELECT state FROM deliveries WHERE id = $1", [id]);
    expect(rows).toEqual([{ state: "running" }]);
    await database.pool.query("ANALYZE deliveries");
    await quick.add(1);
    const startedAt = performance.now();
    expect(await dispatch(database)).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  databaseTest("are never more than eight, with dispatchers at once", async ({ database }) => {
    const { db, pool } = database;
    const { add } = await openLane(database);
    await add(16, { dueSecsAgo: 60 });
    // One dispatcher selects its endpoints, and gets the lock only after another one has finished.
    await pool.query(`
      CREATE FUNCTION public.pg_try_advisory_xact_lock(integer, integer) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(0.3);
        RETURN pg_catalog.pg_try_advisory_xact_lock($1, $2);
      END $$`);
    const slow = transact(db, async (trx) => {
      await sql`SET LOCAL search_path = public, pg_catalog`.execute(trx);
      return admitDue(trx, { slots: SLOTS, limit: 200 });
    });
    await delay(100);
    // This delivery comes before the one that the slow dispatcher saw as next.
    await add(1, { attempts: 1 });
    expect(await dispatch(database)).toHaveLength(8);
    expect(await slow).toEqual([]);
  });
});

// W10
describe("deliveries of one session", () => {
  databaseTest("go one after the other, others are not held up", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, HOOK);
    const { id } = await playEvaluated(db, customer);
    await evaluateAgain(db, id);
    await playEvaluated(db, customer);
    const [first, second, other] = await idsOf(database);
    expect(await dispatch(database)).toEqual([first, other]);
    // The older one failed and waits for its next try.
    await pool.query(
      "UPDATE deliveries SET state = 'waiting', attempts = 1, due_at = now() + interval '30 s' WHERE id = $1",
      [first],
    );
    expect(await dispatch(database)).toEqual([]);
    await pool.query("UPDATE deliveries SET due_at = now() WHERE id = $1", [first]);
    expect(await dispatch(database)).toEqual([first]);
    await finish(database, [first!]);
    expect(await dispatch(database)).toEqual([second]);
  });

  databaseTest("to several endpoints do not wait for each other", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const dead = await addReceiver(db, customer, `${HOOK}/dead`);
    await addReceiver(db, customer, `${HOOK}/well`);
    const { id } = await playEvaluated(db, customer);
    await evaluateAgain(db, id);
    const [one, two] = await dispatch(database);
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id FROM deliveries WHERE state = 'running' AND endpoint_id <> $1",
      [dead.id],
    );
    expect([one, two]).toContain(rows[0]!.id);
    await finish(database, [rows[0]!.id]);
    expect(await dispatch(database)).toHaveLength(1);
  });
});

databaseTest(
  "a paused endpoint holds its deliveries until it is live again",
  async ({ database }) => {
    const { db } = database;
    const { endpointId, add } = await openLane(database);
    const ids = await add(3);
    await transact(db, (trx) => setEndpointState(trx, "ada", endpointId, "paused"));
    expect(await dispatch(database)).toEqual([]);
    await transact(db, (trx) => setEndpointState(trx, "ada", endpointId, "live"));
    expect(await dispatch(database)).toEqual(ids);
  },
);

databaseTest("a removed endpoint gets nothing, not even what had a slot", async ({ database }) => {
  const { db, pool } = database;
  const { endpointId, add } = await openLane(database);
  const ids = await add(10);
  await dispatch(database);
  await transact(db, (trx) => removeEndpoint(trx, "ada", endpointId));
  expect(await dispatch(database)).toEqual([]);
  const { rows } = await pool.query("SELECT id FROM deliveries WHERE state = 'cancelled'");
  expect(rows).toHaveLength(ids.length);
});

describe("the dispatcher", () => {
  async function start(database: TestDatabase, send: JobSender["send"]): Promise<Dispatcher> {
    const { log } = captureLog();
    const dispatcher = new Dispatcher({
      db: database.db,
      jobs: { send },
      log,
      onAdmitted: () => {},
    });
    onTestFinished(() => dispatcher.stop());
    return dispatcher;
  }

  databaseTest("sends a job for what got a slot, at once when poked", async ({ database }) => {
    const { add } = await openLane(database);
    const sent: unknown[] = [];
    const dispatcher = await start(database, async (_trx, _job, payloads) => {
      sent.push(...payloads);
    });
    await delay(100);
    const ids = await add(2);
    dispatcher.poke();
    const wanted = ids.map((deliveryId) => ({ deliveryId }));
    await vi.waitFor(() => expect(sent).toEqual(wanted), { timeout: 200, interval: 5 });
  });

  databaseTest("gives no slot when the job could not be written", async ({ database }) => {
    const { add } = await openLane(database);
    await add(1);
    let tries = 0;
    await start(database, async () => {
      tries += 1;
      throw new Error("the queue is away");
    });
    await vi.waitFor(() => expect(tries).toBeGreaterThan(1), 5_000);
    const { rows } = await database.pool.query(
      "SELECT count(*)::integer AS waiting FROM deliveries WHERE state = 'waiting'",
    );
    expect(rows).toEqual([{ waiting: 1 }]);
  });
});
