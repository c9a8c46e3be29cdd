import { setTimeout as delay } from "node:timers/promises";
import { readFile, writeFile } from "node:fs/promises";
import { isDatabaseAway, migrate } from "#platform";
import { addCustomer, playSession, startOwnCluster, startServerProcess } from "#testing";
import type { Customer, OwnCluster, ServerProcess } from "#testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

let cluster: OwnCluster;
let server: ServerProcess;
let customer: Customer;

beforeAll(async () => {
  cluster = await startOwnCluster(inject("clusterUrl"));
  customer = await addCustomer(cluster.database.db);
  await playSession(cluster.database.db, customer);
  const exportUrl = withPassword("first");
  server = await startServerProcess({ ...cluster.database, exportUrl }, { SVC_LOG_LEVEL: "warn" });
}, 30_000);

afterAll(async () => {
  const code = await server.stop();
  await cluster.remove();
  expect(code, "the server that saw it all still stops in order").toBe(0);
});

const withPassword = (password: string): string =>
  cluster.database.exportUrl.replace("svc_export@", `svc_export:${password}@`);

async function ask(
  path = "/v1/sessions.json",
): Promise<{ status: number; retryAfter: string | null; body: string; ms: number }> {
  const startedAt = performance.now();
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${customer.token}` },
  });
  const body = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body,
    ms: performance.now() - startedAt,
  };
}

/** Asks until the answer is good. Until then every answer must be a 503 that says when to come back. */
async function recovered(): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer.status === 200) return performance.now() - startedAt;
    expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
    expect(answer.ms).toBeLessThan(5_000);
    await delay(50);
  }
}

const ready = async (): Promise<[number, string]> => {
  const response = await fetch(`${server.operationsUrl}/readyz`);
  return [response.status, await response.text()];
};

describe("while PostgreSQL is away", () => {
  // P1
  it.each(["fast", "immediate"] as const)(
    "the export answers 503, and is back by itself after a %s stop",
    async (mode) => {
      expect((await ask()).status).toBe(200);
      await cluster.stop(mode);
      for (const path of ["/v1/sessions.json", "/v1/sessions.csv", "/v1/sessions.json"]) {
        const answer = await ask(path);
        expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
        expect(JSON.parse(answer.body)).toEqual({
          error: { code: "unavailable", message: expect.any(String) },
        });
        expect(answer.ms).toBeLessThan(5_000);
      }
      expect(await ready()).toEqual([
        503,
        expect.stringMatching(/^database: connection refused \(127\.0\.0\.1:\d+\)\n$/),
      ]);
      expect((await fetch(`${server.operationsUrl}/healthz`)).status).toBe(200);

      await cluster.start();
      expect(await recovered()).toBeLessThan(5_000);
      expect(await ready()).toEqual([200, "ready\n"]);
    },
  );

  // P1
  it("no answer tells of it but 503, while many ask through a restart", async () => {
    const statuses = new Set<number>();
    const restarted = new AbortController();
    const asking = Array.from({ length: 4 }, async () => {
      while (!restarted.signal.aborted) {
        const answer = await ask();
        statuses.add(answer.status);
        expect(answer.ms).toBeLessThan(5_000);
      }
    });
    await cluster.stop("immediate");
    await cluster.start();
    expect(await recovered()).toBeLessThan(5_000);
    restarted.abort();
    await Promise.all(asking);
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503]);
  });

  // P2
  it("one backend killed, which takes all of them down: the export is back within five seconds", async () => {
    const { rows } = await cluster.database.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'svc-export' LIMIT 1",
    );
    const bystander = cluster.database.pool
      .query("SELECT pg_sleep(60)")
      .catch((error: unknown) => error);
    process.kill(rows[0]!.pid, "SIGKILL");
    expect(isDatabaseAway(await bystander)).toBe(true);
    expect(await recovered()).toBeLessThan(5_000);
    expect(JSON.parse((await ask()).body)).toMatchObject({ items: [{ status: "processed" }] });
  });
});

describe("while the export's login is refused", () => {
  it("pages are answered with 503, readiness says so, and a changed password is told of", async () => {
    const { pool, db } = cluster.database;
    const data = await pool.query<{ file: string }>("SELECT current_setting('hba_file') AS file");
    const { file } = data.rows[0]!;
    const rules = await readFile(file, "utf8");
    const obey = async (text: string): Promise<void> => {
      await writeFile(file, text);
      await pool.query("SELECT pg_reload_conf()");
      await delay(200);
      await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'svc_export'",
      );
    };
    const login = async (password: string): Promise<string> =>
      (await migrate(db, withPassword(password), [])).exportLogin;

    await obey(`host all svc_export all scram-sha-256\n${rules}`);
    try {
      expect(await login("second")).toBe("changed");
      expect(await login("second")).toBe("kept");
      expect(await ask()).toMatchObject({ status: 503, retryAfter: "1" });
      await vi.waitUntil(async () => (await ready())[0] === 503, { timeout: 20_000 });
      expect(await ready()).toEqual([503, expect.stringMatching(/^export login: .*password/)]);
      await pool.query("ALTER ROLE svc_export NOLOGIN");
      expect(await login("third")).toBe("made");
    } finally {
      await obey(rules);
    }
    expect(await recovered()).toBeLessThan(5_000);
    expect(await ready()).toEqual([200, "ready\n"]);
  }, 60_000);
});
