import { transact } from "#platform";
import { issueToken } from "#accounts";
import {
  addCustomer,
  cloneDatabase,
  countLockWaiters,
  playSession,
  startServerProcess,
  whileLocked,
} from "#testing";
import type { Customer, ServerProcess, TestDatabase } from "#testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

let database: TestDatabase;
let server: ServerProcess;
let customer: Customer;

beforeAll(async () => {
  database = await cloneDatabase(inject("clusterUrl"));
  customer = await addCustomer(database.db);
  await playSession(database.db, customer);
  server = await startServerProcess(database, {
    SVC_LOG_LEVEL: "warn",
    SVC_EXPORT_CONNECTIONS: "2",
  });
}, 30_000);

afterAll(async () => {
  const code = await server.stop();
  await database.drop();
  expect(code, "the server that saw it all still stops in order").toBe(0);
});

/** A token that the server has not seen yet, so that it must be looked up. */
async function freshToken(): Promise<string> {
  return (
    await transact(database.db, (trx) =>
      issueToken(trx, "test", "aa", customer.account.id, "fresh"),
    )
  ).token;
}

async function ask(
  token: string,
): Promise<{ status: number; retryAfter: string | null; ms: number }> {
  const startedAt = performance.now();
  const response = await fetch(`${server.url}/v1/sessions.json`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    ms: performance.now() - startedAt,
  };
}

async function pidsOf(applicationName: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    [applicationName],
  );
  return rows.map(({ pid }) => pid);
}

async function whileFrozen(pids: number[], work: () => Promise<void>): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
}

const UNAVAILABLE = { status: 503, retryAfter: "1" };

describe("while PostgreSQL is stuck", () => {
  // P4
  it("a frozen backend of the export costs one answer, within five seconds, and no restart", async () => {
    const token = await freshToken();
    expect((await ask(token)).status).toBe(200);
    const pids = await pidsOf("svc-export");
    expect(pids).toHaveLength(1);
    await whileFrozen(pids, async () => {
      const answer = await ask(token);
      expect(answer).toMatchObject(UNAVAILABLE);
      expect(answer.ms).toBeLessThan(5_000);
      expect((await ask(token)).status, "the next one gets another connection").toBe(200);
    });
  });

  // P4
  it("frozen backends where tokens are looked up: 503 within five seconds, then others take over", async () => {
    const fresh = await Promise.all([freshToken(), freshToken(), freshToken(), freshToken()]);
    await Promise.all(fresh.map((token) => ask(token)));
    const pids = await pidsOf("svc");
    expect(pids.length).toBeGreaterThan(1);
    await whileFrozen(pids, async () => {
      const answers = [];
      for (const _frozen of pids) answers.push(await ask(await freshToken()));
      // The process's own heartbeat may have taken one of the frozen connections.
      const stuck = answers.filter(({ status }) => status !== 200);
      expect(stuck.length).toBeGreaterThanOrEqual(pids.length - 1);
      for (const answer of stuck) expect(answer).toMatchObject(UNAVAILABLE);
      for (const answer of answers) expect(answer.ms).toBeLessThan(5_000);
      expect((await ask(await freshToken())).status).toBe(200);
    });
  });

  // P6, P7
  it("a locked table: 503 within five seconds; who finds no free connection waits a second at most", async () => {
    const token = await freshToken();
    await ask(token);
    await whileLocked(database, "session_exports", async () => {
      const blocked = [ask(token), ask(token)];
      await vi.waitUntil(async () => (await countLockWaiters(database, "svc-export")) === 2, {
        timeout: 5_000,
      });
      const [third, fourth] = await Promise.all([ask(token), ask(token)]);
      for (const answer of [third, fourth]) {
        expect(answer).toMatchObject(UNAVAILABLE);
        expect(answer.ms).toBeLessThan(1_500);
      }
      for (const answer of await Promise.all(blocked)) {
        expect(answer).toMatchObject(UNAVAILABLE);
        expect(answer.ms).toBeLessThan(5_000);
      }
    });
    expect((await ask(token)).status).toBe(200);
  });

  // P6
  it("a lock where tokens are looked up: 503 within five seconds; known tokens are served", async () => {
    const known = await freshToken();
    await ask(known);
    await whileLocked(database, "tokens", async () => {
      const answering = fetch(`${server.url}/v1/sessions.json`, {
        headers: { authorization: `Bearer ${known}` },
      });
      expect((await answering).status).toBe(200);
    });
    const unknown = await freshToken();
    await whileLocked(database, "tokens", async () => {
      const answer = await ask(unknown);
      expect(answer).toMatchObject(UNAVAILABLE);
      expect(answer.ms).toBeLessThan(5_000);
    });
    expect((await ask(unknown)).status).toBe(200);
  });

  // P3
  it("a terminated backend: idle it is replaced unseen, at work it costs one 503", async () => {
    const token = await freshToken();
    await ask(token);
    const terminate = () =>
      database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'svc%'",
      );
    await terminate();
    await vi.waitUntil(async () => (await pidsOf("svc-export")).length === 0, { timeout: 5_000 });
    expect((await ask(token)).status).toBe(200);
    await whileLocked(database, "session_exports", async () => {
      const blocked = ask(token);
      await vi.waitUntil(async () => (await countLockWaiters(database, "svc-export")) === 1, {
        timeout: 5_000,
      });
      await terminate();
      expect(await blocked).toMatchObject(UNAVAILABLE);
    });
    expect((await ask(token)).status).toBe(200);
  });
});
