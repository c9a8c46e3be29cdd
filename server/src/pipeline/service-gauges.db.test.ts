import { createMetrics, systemClock } from "#platform";
import { addCustomer, end, EXAMPLE_TURNS, say, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { addServiceGauges } from "./service-gauges.ts";

function scrape(database: { db: Parameters<typeof addServiceGauges>[1] }): {
  text(): Promise<string>;
  advance(ms: number): void;
} {
  const metrics = createMetrics();
  let passedMs = 0;
  const clock = { ...systemClock, monotonicMs: () => passedMs };
  addServiceGauges(metrics, database.db, clock);
  return { text: () => metrics.metrics(), advance: (ms) => void (passedMs += ms) };
}

databaseTest("the first scrape has every figure of the moment", async ({ database }) => {
  const { db, pool } = database;
  const session = await start(db, await addCustomer(db));
  await say(db, session, EXAMPLE_TURNS);
  await end(db, session);
  await pool.query("UPDATE sessions SET created_at = created_at - interval '90 seconds'");
  const { text } = scrape(database);
  const first = await text();
  expect(first).toContain('svc_deliveries{scope="service",state="waiting"} 0');
  expect(first).toContain('svc_evaluation_backlog{scope="service",state="waiting"} 1');
  expect(first).toContain('svc_evaluation_backlog{scope="service",state="model_away"} 0');
  expect(first).toMatch(/^svc_session_oldest_unsettled_seconds\{scope="service"\} 9\d\./m);
  expect(first).toMatch(/^svc_delivery_oldest_due_seconds\{scope="service"\} 0$/m);
  expect(first).toContain('svc_processes{scope="service",role="live",state="running"} 0');
});

databaseTest("scrapes close together read once, later ones again", async ({ database }) => {
  const { text, advance } = scrape(database);
  const before = await text();
  await start(database.db, await addCustomer(database.db));
  expect(unsettledIn(await text())).toBe(unsettledIn(before));
  advance(2_000);
  expect(unsettledIn(await text())).not.toBe(unsettledIn(before));
});

function unsettledIn(text: string): string | undefined {
  return /^svc_session_oldest_unsettled_seconds\S* (.*)$/m.exec(text)?.[1];
}

databaseTest("while the database is away the figures are absent", async ({ database }) => {
  const { text, advance } = scrape(database);
  expect(await text()).toContain('svc_deliveries{scope="service",state="waiting"} 0');
  advance(2_000);
  await database.pool.query("ALTER TABLE deliveries RENAME TO deliveries_away");
  expect(await text()).not.toContain("svc_deliveries{");
  await database.pool.query("ALTER TABLE deliveries_away RENAME TO deliveries");
  expect(await text()).toContain("svc_deliveries{");
});
