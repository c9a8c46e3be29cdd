import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, addReceiver, playEvaluated, startEventReceiver } from "@svc/server/testing";
import { environmentOf, WITH_RECEIVERS } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

interface List {
  deliveries: { id: number; state: string; attempts: number; last_status?: number }[];
  more: boolean;
}

interface Detail {
  state: string;
  event: { id: string; body?: string };
  log: { status: number }[];
  replays: number[];
}

interface Replayed {
  replayed: number;
  deliveries: { id?: number; replay_of: number }[];
}

const STATES = ["waiting", "running", "delivered", "exhausted", "orphaned", "cancelled"];

/** On a database of its own, where a pipeline delivers. */
export const deliveries: Scenario = async ({ stage, judge: plain }) => {
  const database = await stage.cloneDatabase();
  const { db } = database;
  const judge = plain.in({ environment: environmentOf(database) });
  await stage.startServer(
    {
      SVC_ROLE: "pipeline",
      SVC_MIGRATE: "off",
      SVC_MODEL_URL: "http://127.0.0.1:9/v1",
      SVC_EVALUATION_MODEL: "none",
      SVC_WEBHOOK_RETRY_SECS: "0.1",
      ...WITH_RECEIVERS,
    },
    database,
  );
  let status = 500;
  const receiver = await startEventReceiver(() => ({ status, body: "out of order" }));
  try {
    const customer = await addCustomer(db, { name: "Stark" });
    const endpoint = await addReceiver(db, customer, receiver.url);
    const [first, second] = [await playEvaluated(db, customer), await playEvaluated(db, customer)];
    const until = async (state: string, count: number): Promise<void> => {
      for (let waited = 0; waited < 200; waited++, await delay(50)) {
        const { rowCount } = await database.pool.query("SELECT FROM deliveries WHERE state = $1", [
          state,
        ]);
        if (rowCount === count) return;
      }
      judge.check(false, `no ${count} deliveries are ${state} after 10 s`);
    };
    await until("exhausted", 2);

    const list = ["deliveries", "list"];
    const told = await judge.answers<List>([...list, "--account", "stark", "--since", "1h"]);
    judge.same(
      told.deliveries.map(({ id, state, attempts, last_status: last }) => [
        id,
        state,
        attempts,
        last,
      ]),
      [
        [2, "exhausted", 3, 500],
        [1, "exhausted", 3, 500],
      ],
      "deliveries list",
    );
    await judge.tells(list, ["STATE", "exhausted", "3 of 3", "svc deliveries replay <id>"]);
    const { more } = await judge.answers<List>([...list, "--limit", "1"]);
    judge.check(more, "deliveries list does not tell that there is more");
    const bySession = await judge.answers<List>([...list, "--session", first.id]);
    const byEndpoint = await judge.answers<List>([...list, "--endpoint", endpoint.id]);
    judge.same(
      [bySession, byEndpoint].map((one) => one.deliveries.map(({ id }) => id)),
      [[1], [2, 1]],
      "deliveries list by session and by endpoint",
    );
    for (const state of STATES) {
      const found = await judge.answers<List>([...list, "--state", state]);
      const wanted = state === "exhausted" ? 2 : 0;
      judge.check(found.deliveries.length === wanted, `${state}: ${found.deliveries.length}`);
    }

    const shown = await judge.answers<Detail>(["deliveries", "show", "1", "--body"]);
    const sent = receiver.received.filter(
      ({ headers }) => headers["webhook-id"] === shown.event.id,
    );
    judge.same(
      [shown.log.map((one) => one.status), shown.event.body],
      [[500, 500, 500], sent[0]?.body.toString()],
      "deliveries show",
    );
    judge.check(sent.length === 3, `delivery 1 was sent ${sent.length} times`);
    await judge.tells(["deliveries", "show", "1"], ["three tries failed", "out of order"]);

    const replay = ["deliveries", "replay"];
    status = 204;
    const ofStark = ["--account", "stark", "--failed-since", "1h"];
    await judge.tells([...replay, ...ofStark, "--dry-run"], ["2 would be sent again."]);
    await judge.tells([...replay, "1"], ["1 is sent again, as delivery 3."]);
    const rest = await judge.answers<Replayed>([...replay, ...ofStark]);
    judge.same(rest.deliveries, [{ id: 4, replay_of: 2 }], "deliveries replay");
    await until("delivered", 2);
    const again = await judge.answers<Replayed>([...replay, "--session", second.id]);
    judge.same(again.deliveries, [{ id: 5, replay_of: 4 }], "deliveries replay --session");
    await until("delivered", 3);
    const range = ["--endpoint", endpoint.id, "--from", "1h", "--to", "2099-01-01"];
    const all = await judge.answers<Replayed>([...replay, ...range]);
    judge.check(all.replayed === 2, `a replay of all sends ${all.replayed}`);
    await until("delivered", 5);
    const bodies = new Set(receiver.received.map(({ body }) => body.toString()));
    judge.check(bodies.size === 2, `${bodies.size} different bodies of 2 events were sent`);
    const { replays } = await judge.answers<Detail>(["deliveries", "show", "1"]);
    judge.same(replays, [3], "the replays of a delivery");

    await Promise.all([
      judge.refuses([...replay, "1"], 1, "Delivery 1 cannot be sent again."),
      judge.refuses([...replay, "77"], 1, "There is no delivery 77."),
      judge.refuses(replay, 2, "It is not said what to send again."),
      judge.refuses([...replay, "--failed-since", "1h"], 2, "It is not said what to send again."),
      judge.refuses(["deliveries", "show", "77"], 1, "There is no delivery 77."),
      judge.refuses([...list, "--session", "first"], 2, '"first" is no session id.'),
    ]);
  } finally {
    receiver.close();
  }
};
