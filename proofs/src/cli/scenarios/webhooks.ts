import { createHmac } from "node:crypto";
import { addCustomer, playEvaluated, startEventReceiver } from "@svc/server/testing";
import type { ReceivedEvent } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Shown {
  id: string;
  url: string;
  state: string;
  agents?: { slug: string }[];
  replay_exhausted: boolean;
  previous_secret_until?: string;
  health: { waiting: number; failed: number };
}

interface Tested {
  checks: { name: string; state: string }[];
  cures: { checks: string[] }[];
}

export const webhooks: Scenario = async ({ stage, judge }) => {
  const { db, pool } = stage.database;
  const customer = await addCustomer(db, { name: "Wayne" });
  const ofWayne = ["--account", "wayne"];
  const stored = async (id: string): Promise<unknown> =>
    (
      await pool.query(
        "SELECT url, state, agent_ids IS NULL AS all, replay_exhausted, previous_until IS NOT NULL AS rotating FROM webhook_endpoints WHERE id = $1",
        [id],
      )
    ).rows[0];

  const secrets: string[] = [];
  const verifies = ({ headers, body }: ReceivedEvent): boolean =>
    secrets.some(
      (secret) =>
        headers["x-webhook-signature"] === createHmac("sha256", secret).update(body).digest("hex"),
    );
  const receiver = await startEventReceiver((event) => (verifies(event) ? 204 : 401));
  const careless = await startEventReceiver(() => 200);
  try {
    const added = await judge.answers<{ id: string; secret: string }>([
      "webhooks",
      "add",
      receiver.url,
      ...ofWayne,
      "--agent",
      "guide",
      "--replay-exhausted",
    ]);
    secrets.push(added.secret);
    const { id } = added;
    const row = { url: receiver.url, state: "live", all: false, replay_exhausted: true };
    judge.same(await stored(id), { ...row, rotating: false }, "webhooks add");
    const printed = await judge.tells(
      ["webhooks", "add", "https://wayne.example/hook", ...ofWayne],
      ["Each evaluated session of Wayne", "shown this once", "openssl dgst -sha256 -hmac"],
    );
    const other = /hook_\w{22}/.exec(printed.out)?.[0] ?? "";

    const { endpoints } = await judge.answers<{ endpoints: Shown[] }>([
      "webhooks",
      "list",
      ...ofWayne,
    ]);
    judge.same(
      endpoints.map((one) => [one.id, one.state, one.agents?.map(({ slug }) => slug)]),
      [
        [id, "live", ["guide"]],
        [other, "live", undefined],
      ],
      "webhooks list",
    );
    await judge.tells(["webhooks", "list"], [id, other, "Wayne"]);

    await judge.tells(["webhooks", "pause", id], ["is paused"]);
    await judge.answers(["webhooks", "pause", other]);
    await playEvaluated(db, customer);
    const shown = await judge.answers<Shown>(["webhooks", "show", id]);
    judge.same([shown.state, shown.health.waiting], ["paused", 1], "webhooks show");
    await judge.tells(["webhooks", "show", id], [`svc webhooks resume ${id}`, "1 waiting"]);
    await judge.answers(["webhooks", "resume", id]);
    await judge.tells(["webhooks", "resume", id], ["is live", "It was before."]);
    judge.same(await stored(id), { ...row, rotating: false }, "a resumed endpoint");

    const { secret } = await judge.answers<{ secret: string }>(["webhooks", "rotate", id]);
    judge.check(secret !== added.secret, "a rotated secret is the old one");
    judge.same(await stored(id), { ...row, rotating: true }, "a rotated endpoint");
    await judge.tells(["webhooks", "rotate", other], ["has a new secret", "shown this once"]);

    const unknown = await judge.answers<Tested>(["webhooks", "test", id], 1);
    judge.check(unknown.cures.length === 1, "a receiver that knows the old secret only is well");
    secrets.push(secret);
    const well = await judge.answers<Tested>(["webhooks", "test", id]);
    const ailing = well.checks.filter(({ state }) => state !== "ok").map(({ name }) => name);
    judge.same(ailing, ["address", "certificate"], "a good receiver, as its test tells it,");
    judge.check(receiver.received.length === 8, `${receiver.received.length} requests were sent`);
    await judge.tells(
      ["webhooks", "test", careless.url, "--secret", "whsec_c2VjcmV0"],
      ["took an event with a wrong signature (200)", "createHmac", "hmac.compare_digest"],
    );

    await judge.refuses(["webhooks", "remove", id], 1, `1 delivery to ${id} is not finished.`);
    const removed = await judge.answers<{ cancelled: number }>(["webhooks", "remove", id, "--yes"]);
    judge.check(removed.cancelled === 1, `webhooks remove cancelled ${removed.cancelled}`);
    await judge.tells(
      ["webhooks", "remove", other, "--yes"],
      ["Removed", "Cancelled deliveries: 1"],
    );
    await judge.answers(["webhooks", "reseal"]);
    await judge.tells(["webhooks", "reseal"], ["under the newest key"]);
    const { SVC_SECRET_KEYS: _, ...withoutKeys } = judge.surroundings.environment;
    const keyless = judge.in({ environment: withoutKeys });
    await Promise.all([
      judge.refuses(["webhooks", "show", "hook_x"], 1, "There is no webhook endpoint hook_x."),
      judge.refuses(["webhooks", "pause", id], 1, `There is no webhook endpoint ${id}.`),
      judge.refuses(["webhooks", "add", "ftp://x", ...ofWayne], 2, "The address was not taken."),
      judge.refuses(["webhooks", "test", careless.url], 2, "There is nothing to sign with."),
      keyless.refuses(["webhooks", "reseal"], 2, "svc cannot handle webhook secrets."),
    ]);
  } finally {
    receiver.close();
    careless.close();
  }
};
