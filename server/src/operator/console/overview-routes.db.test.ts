import { addCustomer, playSession } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { AgentGaps, ConsoleFigures } from "@svc/contract/types";
import { expect } from "vitest";
import { ConsoleUnderTest } from "./console-under-test.ts";

databaseTest(
  "conversations in which something was not known are counted without reading them",
  async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const { id } = await playSession(db, customer);
    await playSession(db, customer);
    await pool.query(
      `INSERT INTO session_events (session_at, session_id, at, kind, detail)
       SELECT session_at, session_id, at, kind, detail
       FROM (SELECT * FROM turns WHERE session_id = $1 AND role = 'user' ORDER BY seq LIMIT 1) AS asked, (VALUES
         ('state', '{"language": "en"}'::jsonb),
         ('direction', '{"name": "unknown", "done": true, "value": "tablets"}')) AS e (kind, detail)`,
      [id],
    );
    const console = new ConsoleUnderTest(database);
    const cookie = await console.signIn({ name: "Ada", role: "viewer" });
    const since = "since=2026-01-01T00:00:00Z";
    const agentId = customer.agent.agentId;
    const read = async <T>(path: string): Promise<T> =>
      (await console.ask("GET", `/admin/v1/${path}?${since}`, cookie)).json() as T;
    const figures = await read<ConsoleFigures>("figures");
    expect(figures.agents).toMatchObject([{ agent_id: agentId, started: 2, unanswered: 1 }]);
    const audited = async (): Promise<number> =>
      (await pool.query("SELECT FROM audit WHERE action = 'agent.gaps'")).rows.length;
    expect(await audited()).toBe(0);
    const { gaps } = await read<AgentGaps>(`agents/${agentId}/gaps`);
    expect(gaps).toMatchObject([{ about: "tablets", sessions: 1 }]);
    expect(await audited()).toBe(1);
  },
);
