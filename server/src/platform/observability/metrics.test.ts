import { expect, test } from "vitest";
import { createPool } from "../database/db.ts";
import { createLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";

test("a process says what it runs", async () => {
  const text = await createMetrics({ role: "live", commit: "0a1b2c3" }).metrics();
  expect(text).toMatch(
    /^svc_build_info\{role="live",commit="0a1b2c3",version="\d+\.\d+\.\d+[^"]*",node="v\d+[^"]*"\} 1$/m,
  );
});

test("a pool shows its connections, its limit and who waits for one", async () => {
  const metrics = createMetrics();
  const options = { url: "postgres://x@127.0.0.1:1/x", name: "svc", maxConnections: 1 };
  const pool = createPool({ ...options, statementTimeoutMs: 1_000 }, createLog("silent"));
  metrics.watchPool(pool);
  const queries = [pool.query("SELECT 1"), pool.query("SELECT 1")];
  const text = await metrics.metrics();
  await Promise.allSettled(queries);
  expect(text).toContain('svc_database_connections{pool="svc",state="busy"} 1');
  expect(text).toContain('svc_database_connections{pool="svc",state="idle"} 0');
  expect(text).toContain('svc_database_connections_max{pool="svc"} 1');
  expect(text).toContain('svc_database_waiting{pool="svc"} 1');
  await pool.end();
});

test("a provider is up, down, or not known yet", async () => {
  const metrics = createMetrics();
  const answers: Record<string, boolean | undefined> = { speech: false, evaluation_model: true };
  for (const service of ["speech", "evaluation_model", "conversation_model"]) {
    metrics.watchProvider(service, () => answers[service]);
  }
  const text = await metrics.metrics();
  expect(text).toContain('svc_provider_up{service="speech"} 0');
  expect(text).toContain('svc_provider_up{service="evaluation_model"} 1');
  expect(text).not.toContain('service="conversation_model"');
  answers["speech"] = true;
  expect(await metrics.metrics()).toContain('svc_provider_up{service="speech"} 1');
});
