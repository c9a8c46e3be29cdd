import { addCustomer, playSession } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";
import type { CommandLine } from "../command-line-under-test.ts";

/** Two conversations: `large` talks and has a price, `small` evaluates and has none unless it is free. */
async function desk({ db, pool }: TestDatabase, free: string[] = []): Promise<CommandLine> {
  for (const name of ["Acme", "Globex"]) {
    const { id } = await playSession(db, await addCustomer(db, { name }));
    await pool.query(
      "INSERT INTO session_usage (session_id, model, requests, input_tokens, output_tokens, cost_micros) VALUES ($1, 'large', 2, 1000, 200, 1500000)",
      [id],
    );
    await pool.query(
      "INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, model, input_tokens, output_tokens, cost_micros, evaluation) VALUES ($1, 1, 'written', now(), now(), 'small', 3000, 400, 0, '{}')",
      [id],
    );
  }
  const operator = { db: () => db, freeModels: () => new Set(free) };
  return commandLineUnderTest(operator, { width: 80 });
}

describe("svc costs", () => {
  databaseTest("shows what has a price, and never zero for what has none", async ({ database }) => {
    const { svc, json } = await desk(database);
    expect(await json("costs")).toMatchObject({
      rows: [
        { value: "talking", input_tokens: 2000, cost_micros: 3_000_000, unpriced_tokens: 0 },
        { value: "evaluating", input_tokens: 6000, output_tokens: 800, unpriced_tokens: 6800 },
      ],
      total: { cost_micros: 3_000_000, unpriced_tokens: 6800 },
      unpriced_models: ["small"],
    });
    expect(JSON.stringify(await json("costs", "--by", "model"))).not.toContain('"cost_micros":0');
    const { out } = await svc("costs");
    expect(out).toMatch(/^talking +2,000 +400 +3\.00$/m);
    expect(out).toMatch(/^evaluating +6,000 +800 +no price$/m);
    expect(out).toMatch(/^in all +8,000 +1,200 +≥ 3\.00$/m);
    expect(out).toContain("small had no price for 6,800 tokens. Set it in SVC_MODEL_PRICES");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  databaseTest("takes a price of zero for what it is", async ({ database }) => {
    const { svc, json } = await desk(database, ["small"]);
    expect(await json("costs", "--by", "model")).toMatchObject({
      rows: [
        { value: "large", cost_micros: 3_000_000 },
        { value: "small", cost_micros: 0, unpriced_tokens: 0 },
      ],
      total: { cost_micros: 3_000_000 },
      unpriced_models: [],
    });
    expect((await svc("costs")).out).toMatch(/^in all .* 3\.00$/m);
  });

  databaseTest("says where it is not known what speech cost", async ({ database }) => {
    const { svc, json } = await desk(database, ["small"]);
    await database.pool.query("UPDATE sessions SET mode = 'voice'");
    expect(await json("costs")).toMatchObject({ unpriced_speech: 2 });
    const { out } = await svc("costs");
    expect(out).toMatch(/^in all .*≥ 3\.00$/m);
    expect(out.replaceAll(/\s+/g, " ")).toContain("Set SVC_STT_PRICE and SVC_TTS_PRICE.");
    await database.pool.query(
      "INSERT INTO session_usage (session_id, model, requests, input_tokens, output_tokens, cost_micros) SELECT id, 'speech', 1, 0, 0, 40 FROM sessions",
    );
    expect(await json("costs")).toMatchObject({
      unpriced_speech: 0,
      rows: [{ value: "talking" }, { value: "speech", cost_micros: 80 }, { value: "evaluating" }],
    });
    expect((await svc("costs")).out).toMatch(/^speech +0 +0 +0\.0001$/m);
  });

  databaseTest("is kept apart by account, agent and day", async ({ database }) => {
    const { svc, json } = await desk(database);
    expect(await json("costs", "--account", "acme")).toMatchObject({
      total: { cost_micros: 1_500_000 },
    });
    expect(await json("costs", "--by", "agent")).toMatchObject({
      rows: [
        { name: "guide (Acme)", cost_micros: 1_500_000 },
        { name: "guide (Globex)", cost_micros: 1_500_000 },
      ],
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(await json("costs", "--by", "day")).toMatchObject({
      rows: [{ value: today, cost_micros: 3_000_000 }],
    });
    await database.pool.query("DELETE FROM session_usage");
    await database.pool.query("DELETE FROM evaluations");
    expect((await svc("costs")).out).toContain("No session used a model.");
  });
});
