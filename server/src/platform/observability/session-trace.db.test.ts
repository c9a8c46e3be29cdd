import { randomUUID } from "node:crypto";
import {
  addCustomer,
  addReceiver,
  LiveBrowser,
  startEventReceiver,
  startOutsideWorld,
  startServerProcess,
} from "#testing";
import type { ServerProcess } from "#testing";
import { databaseTest } from "#testing/database-test";
import { SessionStarted } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { expect, onTestFinished, vi } from "vitest";

databaseTest(
  "one trace leads from a session's start through its turns to its evaluation and delivery",
  { timeout: 180_000 },
  async ({ database }) => {
    const customer = await addCustomer(database.db);
    const outside = await startOutsideWorld();
    const receiver = await startEventReceiver();
    // A collector, which keeps what it is sent.
    const collector = await startEventReceiver(() => 200);
    await addReceiver(database.db, customer, receiver.url);
    const start = (role: string): Promise<ServerProcess> =>
      startServerProcess(database, {
        ...outside.environment,
        SVC_ROLE: role,
        SVC_INSTANCE: `${role}-1`,
        SVC_TRACES_URL: collector.url,
        SVC_EVALUATION_MODEL: "judge-model",
        SVC_CONVERSATION_MODEL: "talk-model",
        SVC_WEBHOOK_PLAIN_HTTP: "on",
        SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
        SVC_MIGRATE: "off",
      });
    const roles = ["api", "live", "pipeline"] as const;
    const servers = await Promise.all(roles.map((role) => start(role)));
    const stop = (): Promise<unknown> => Promise.all(servers.map((server) => server.stop()));
    onTestFinished(async () => {
      await stop();
      await outside.close();
      receiver.close();
      collector.close();
    });
    const [api, live] = servers as [ServerProcess, ServerProcess];

    const { session_id: id, ticket } = await startSession(api.url, customer.agent.agentId);
    const browser = await LiveBrowser.open(`${live.url.replace("http", "ws")}/sdk/v1/live`);
    await browser.hello(id, { ticket });
    browser.send({ type: "text", text: "We are a sales team of twelve, and we need a demo." });
    await browser.first("caption", ({ role, final }) => role === "user" && final);
    await vi.waitFor(() => expect(browser.all("caption").length).toBeGreaterThan(3), 20_000);
    browser.send({ type: "end" });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 30_000);
    await stop();

    const { rows } = await database.pool.query<{ traceparent: string }>(
      "SELECT traceparent FROM sessions",
    );
    const traceId = Buffer.from(rows[0]!.traceparent.split("-")[1]!, "hex");
    const sent = (role: string): string =>
      collector.received
        .filter(({ body }) => body.includes(`${role}-1`) && body.includes(traceId))
        .map(({ body }) => body.toString("latin1"))
        .join("");
    expect(sent("api")).toContain("svc.start");
    expect(sent("live")).toContain("svc.turn");
    expect(sent("live")).toContain("talk-model");
    expect(sent("live")).not.toContain("unknown");
    for (const text of ["svc.evaluate", "svc.deliver", "judge-model"]) {
      expect(sent("pipeline")).toContain(text);
    }
    expect(sent("live")).not.toContain("sales team");

    const lines = servers.flatMap(({ log }) => log).filter((line) => line["session"] === id);
    expect(lines).toMatchObject([
      { role: "api", instance: "api-1", msg: "session started", mode: "text", language: "en" },
      { role: "live", instance: "live-1", msg: "session ended", reason: "visitor_ended" },
    ]);
  },
);

async function startSession(url: string, agentId: string): Promise<types.SessionStarted> {
  const response = await fetch(`${url}/sdk/v1/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      agent_id: agentId,
      start_key: randomUUID(),
      mode: "text",
      language: "en",
      metadata: {},
      page: "https://shop.example.com/",
      notice: { text: "An AI talks.", language: "en", accepted_at: new Date().toISOString() },
    }),
  });
  return SessionStarted.parse(await response.json());
}
