import { afterEach, describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";
import { startOperationsServer } from "./operations-server.ts";
import type { OperationsServer } from "./operations-server.ts";

let server: OperationsServer | undefined;
afterEach(() => server?.close());

async function ask(
  path: string,
  notReady: () => Promise<string[]> = async () => [],
): Promise<[number, string]> {
  server = await startOperationsServer({
    host: "127.0.0.1",
    port: 0,
    metrics: createMetrics(),
    notReady,
  });
  const response = await fetch(server.url + path);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return [response.status, await response.text()];
}

describe("the operations port", () => {
  it("says that the process runs, even while it cannot serve", async () => {
    expect(await ask("/healthz", async () => ["stopping"])).toEqual([200, "ok\n"]);
  });

  it("says that it is ready", async () => {
    expect(await ask("/readyz")).toEqual([200, "ready\n"]);
  });

  it("says each reason why it is not ready", async () => {
    expect(
      await ask("/readyz", async () => ["stopping", "the database cannot be reached"]),
    ).toEqual([503, "stopping\nthe database cannot be reached\n"]);
  });

  it("is not ready, and lives on, when the question itself fails", async () => {
    expect(await ask("/readyz", () => Promise.reject(new Error("secret")))).toEqual([
      503,
      "readiness could not be told\n",
    ]);
  });

  it("serves metrics to Prometheus", async () => {
    const [status, text] = await ask("/metrics");
    expect(status).toBe(200);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it("names its addresses to who asks for another", async () => {
    expect(await ask("/")).toEqual([404, "not found: try /healthz, /readyz or /metrics\n"]);
  });
});
