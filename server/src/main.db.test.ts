import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { livingProcesses } from "#platform";
import {
  addCustomer,
  countLockWaiters,
  end,
  EXAMPLE_TURNS,
  MAIN,
  playSession,
  say,
  speechAt,
  start,
  startOutsideWorld,
  startServerProcess,
  whileLocked,
} from "#testing";
import type { ServerProcess, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { AgentFacts } from "@svc/contract/schemas";
import { describe, expect, inject, it, vi } from "vitest";
import type { TestContext } from "vitest";

/** Runs the server to its end. */
async function run(
  environment: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [MAIN], { env: { SVC_ROLE: "api", ...environment } });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

const AWAY = "postgres://svc:hidden@127.0.0.1:1/svc";

function addresses(url: string): Record<string, string> {
  return {
    SVC_DATABASE_URL: url,
    SVC_EXPORT_DATABASE_URL: url.replace(/\/\/\w+/, "//svc_export"),
    SVC_PUBLIC_URL: "http://127.0.0.1",
    SVC_OPS_PORT: "0",
  };
}

/**
 * A server whose PostgreSQL does not answer until `proxy` is called.
 *
 * @param onTestFinished the test's own: vitest's global one belongs to another test when tests run
 *   at the same time, which then kills this server when it ends.
 */
async function startWhileAway(
  url: string,
  onTestFinished: TestContext["onTestFinished"],
): Promise<{
  ready(): Promise<string>;
  proxy(): Promise<void>;
  stop(): Promise<number | null>;
}> {
  const [port, opsPort] = [await closedPort(), await closedPort()];
  const child = spawn(process.execPath, [MAIN], {
    stdio: "ignore",
    env: {
      SVC_ROLE: "api",
      ...addresses(url.replace(/:\d+\//, `:${port}/`)),
      SVC_PORT: "0",
      SVC_OPS_PORT: String(opsPort),
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close") as Promise<[number | null]>;
  const proxy = createServer((socket) => {
    const { hostname, port: real } = new URL(url);
    const onward = connect(Number(real), hostname);
    for (const side of [socket, onward]) side.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  onTestFinished(() => void proxy.close());
  return {
    ready: () =>
      fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
        (answer) => answer.text(),
        () => "",
      ),
    proxy: async () => void (await once(proxy.listen(port, "127.0.0.1"), "listening")),
    stop: async () => {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const serverTest = databaseTest.extend<{ startServer: typeof startServerProcess }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter's pattern
  startServer: async ({}, use) => {
    const started: ServerProcess[] = [];
    await use(async (...args) => {
      const server = await startServerProcess(...args);
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.stop()));
  },
});

describe.concurrent("the server", () => {
  serverTest(
    "finishes what it has begun when it is told to stop, and ends with 0",
    async ({ database, startServer }) => {
      const customer = await addCustomer(database.db);
      await playSession(database.db, customer);
      const server = await startServer(database);
      const { asked, stopped } = await whileLocked(database, "session_exports", async () => {
        const headers = { authorization: `Bearer ${customer.token}` };
        const answering = fetch(`${server.url}/v1/sessions.json`, { headers });
        await vi.waitUntil(async () => (await countLockWaiters(database, "svc-export")) === 1, {
          timeout: 5_000,
        });
        const stopping = server.stop();
        await vi.waitUntil(() => server.log.some((line) => line["msg"] === "stopping"), {
          timeout: 5_000,
        });
        return { asked: answering, stopped: stopping };
      });
      const answer = await asked;
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ items: [{ status: "processed" }] });
      expect(await stopped).toBe(0);
      expect(server.log.at(-1)).toMatchObject({ msg: "stopped" });
      await expect(fetch(server.url)).rejects.toThrow("fetch failed");
    },
  );

  serverTest(
    "says what it runs with, without a password, where it listens, and that it is there",
    async ({ database, startServer }) => {
      const server = await startServer(
        { ...database, exportUrl: database.exportUrl.replace("svc_export@", "svc_export:hidden@") },
        { SVC_SHUTDOWN_SECS: "5", SVC_INSTANCE: "web-1", SVC_COMMIT: "0a1b2c3" },
      );
      expect(await livingProcesses(database.db)).toMatchObject([
        {
          role: "api",
          instance: "web-1",
          pid: server.pid,
          version: expect.stringMatching(/^\d+\.\d+\.\d+\+0a1b2c3$/),
          load: { requestsPerSec: expect.any(Number), sessions: undefined, jobs: undefined },
        },
      ]);
      await server.stop();
      expect(await livingProcesses(database.db)).toEqual([]);
      expect(server.log.map((line) => line["msg"])).toEqual(
        expect.arrayContaining(["starting", "listening", "stopping", "stopped"]),
      );
      expect(server.log[0]).toMatchObject({
        config: {
          shutdown: { limitMs: 5_000 },
          exportDatabaseUrl: expect.stringContaining("svc_export:redacted@"),
        },
      });
      expect(JSON.stringify(server.log)).not.toContain("hidden");
    },
  );

  it("ends with 2 and every variable at fault when it is not configured", async () => {
    const { code, out, err } = await run({ SVC_PORT: "-1" });
    expect([code, out]).toEqual([2, ""]);
    for (const name of [
      "SVC_DATABASE_URL",
      "SVC_EXPORT_DATABASE_URL",
      "SVC_PUBLIC_URL",
      "SVC_PORT",
    ])
      expect(err).toContain(name);
  });

  it("ends with 1 when PostgreSQL stays away, and says why", async () => {
    const { code, out } = await run({ ...addresses(AWAY), SVC_DATABASE_WAIT_SECS: "1" });
    expect(code).toBe(1);
    expect(out).toContain("could not start");
    expect(out).toContain("PostgreSQL at 127.0.0.1:1 did not answer within 1 s.");
    expect(out).toContain("Connection refused (127.0.0.1:1).");
    expect(out).not.toContain("hidden");
  });

  it("ends at once when the database does not exist, and says what to do", async () => {
    const { code, out } = await run(addresses(inject("clusterUrl").replace(/[^/]+$/, "nowhere")));
    expect(code).toBe(1);
    expect(out).toMatch(
      /The database does not exist at [^ ]+\..*correct its name in SVC_DATABASE_URL/,
    );
    expect(out).not.toContain("waiting for the database");
  });

  databaseTest(
    "waits for PostgreSQL, says so on /readyz, and serves once it is there",
    { timeout: 120_000 },
    async ({ database, onTestFinished }) => {
      const { ready, stop, proxy } = await startWhileAway(database.url, onTestFinished);
      await vi.waitUntil(async () => (await ready()) !== "", { timeout: 60_000 });
      expect(await ready()).toMatch(
        /^starting\ndatabase: connection refused \(127\.0\.0\.1:\d+\)\n$/,
      );
      await proxy();
      await vi.waitUntil(async () => (await ready()) === "ready\n", { timeout: 60_000 });
      expect(await stop()).toBe(0);
    },
  );

  databaseTest(
    "ends with 0 when it is told to stop while it waits for PostgreSQL",
    { timeout: 120_000 },
    async ({ database, onTestFinished }) => {
      const { ready, stop } = await startWhileAway(database.url, onTestFinished);
      await vi.waitUntil(async () => (await ready()) !== "", { timeout: 60_000 });
      expect(await stop()).toBe(0);
    },
  );

  it("does not run on a database that lacks migrations it may not make", async () => {
    const { code, out } = await run({ ...addresses(inject("clusterUrl")), SVC_MIGRATE: "off" });
    expect(code).toBe(1);
    expect(out).toMatch(/000001_ground.*svc db migrate/);
  });
});

serverTest(
  "the server closes its port while a job is still at work",
  { timeout: 60_000 },
  async ({ database, startServer, onTestFinished }) => {
    const customer = await addCustomer(database.db);
    const outside = await startOutsideWorld();
    onTestFinished(() => outside.close());
    const server = await startServer(database, {
      ...outside.environment,
      SVC_ROLE: "all",
      SVC_SHUTDOWN_SECS: "5",
    });
    outside.model.setDelay(60_000);
    const session = await start(database.db, customer);
    await say(database.db, session, EXAMPLE_TURNS);
    await end(database.db, session);
    await vi.waitUntil(async () => (await countActiveJobs(database)) === 1, { timeout: 5_000 });

    const stopped = server.stop();
    await vi.waitUntil(
      () =>
        fetch(server.url).then(
          () => false,
          () => true,
        ),
      { timeout: 4_000 },
    );
    // The job is taken up by whoever comes next.
    expect(await stopped).toBe(1);
    expect(server.log.at(-1)).toMatchObject({ msg: "did not stop in time" });
  },
);

async function countActiveJobs({ pool }: TestDatabase): Promise<number> {
  const { rowCount } = await pool.query(
    "SELECT FROM pgboss.job WHERE name = 'session-ended' AND state = 'active'",
  );
  return rowCount ?? 0;
}

/** Every metric of ours that a process has is in the table of the monitoring page, and the reverse. */
async function expectDocumented(scraped: string): Promise<void> {
  const page = await readFile(new URL("../../docs/operate/monitoring.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(svc_\w+)` \| (\w+) \|([^|]*)\|/gm)];
  const documented = new Map(rows.map(([, name, kind, labels]) => [name!, { kind, labels }]));
  const found = [...scraped.matchAll(/^# TYPE (svc_\w+) (\w+)$/gm)];
  expect(found.map(([, name, kind]) => `${name} ${kind}`).toSorted()).toEqual(
    [...documented].map(([name, { kind }]) => `${name} ${kind}`).toSorted(),
  );
  for (const [, series, given] of scraped.matchAll(/^(svc_\w+)\{([^}]*)\}/gm)) {
    const name = documented.has(series!) ? series! : series!.replace(/_(bucket|sum|count)$/, "");
    const labels = [...given!.matchAll(/(\w+)="/g)].map(([, label]) => label!);
    for (const label of labels.filter((one) => one !== "le")) {
      expect(documented.get(name)?.labels, `${name}{${label}}`).toContain(`\`${label}\``);
    }
  }
}

// L12
serverTest(
  "the server offers voice while somebody hears and speaks, starts without them, and measures what the page says",
  { timeout: 60_000 },
  async ({ database, startServer, onTestFinished }) => {
    const { agent } = await addCustomer(database.db);
    const outside = await startOutsideWorld();
    onTestFinished(() => outside.close());
    let scraped = "";
    const modesWith = async (speech: Record<string, string>): Promise<unknown> => {
      const environment = { ...outside.environment, ...speech, SVC_ROLE: "all" };
      const server = await startServer(database, environment);
      const answer = await fetch(`${server.url}/sdk/v1/agents/${agent.agentId}`);
      const { modes } = AgentFacts.parse(await answer.json());
      scraped = await (await fetch(`${server.operationsUrl}/metrics`)).text();
      expect(await server.stop()).toBe(0);
      return modes;
    };
    expect(await modesWith(speechAt("http://127.0.0.1:9"))).toEqual(["text"]);
    expect(await modesWith({})).toEqual(["voice", "text"]);
    await expectDocumented(scraped);
    const planted = `${scraped}\n# TYPE svc_planted gauge`;
    await expect(expectDocumented(planted)).rejects.toThrow("to deeply equal");
  },
);
