import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addCustomer } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

export const agents: Scenario = async ({ stage, judge, directory }) => {
  const { account } = await addCustomer(stage.database.db, { name: "Aperture" });
  const folder = join(directory, "agents", "turret");
  await judge.tells(["agents", "init", folder], ["Wrote", "agent.yaml"]);
  await judge.answers(["agents", "init", join(directory, "agents", "cube")]);
  const ofAperture = ["--account", "aperture"];

  await judge.tells(["agents", "plan", folder, ...ofAperture], ["Nothing has changed yet."]);
  const plan = await judge.answers<{ changes: unknown[] }>([
    "agents",
    "plan",
    folder,
    ...ofAperture,
  ]);
  judge.check(plan.changes.length > 0, "a plan for a new agent is empty");
  const applied = await judge.answers<{ applied: boolean; agent_id: string; version: number }>([
    "agents",
    "apply",
    folder,
    ...ofAperture,
  ]);
  judge.same([applied.applied, applied.version], [true, 1], "agents apply");
  await judge.tells(["agents", "apply", folder, ...ofAperture], ["Nothing to do."]);
  const { rows } = await stage.database.pool.query(
    "SELECT id, slug, current_version FROM agents WHERE account_id = $1 AND slug = 'turret'",
    [account.id],
  );
  judge.same(rows, [{ id: applied.agent_id, slug: "turret", current_version: 1 }], "the agent");

  await judge.tells(["agents", "list"], ["turret", applied.agent_id]);
  const { agents: listed } = await judge.answers<{ agents: { slug: string }[] }>([
    "agents",
    "list",
    ...ofAperture,
  ]);
  judge.same(
    listed.map(({ slug }) => slug),
    ["guide", "turret"],
    "agents list",
  );
  await judge.tells(["agents", "show", applied.agent_id], ["turret", "Aperture"]);
  await judge.answers(["agents", "show", "turret"]);

  const state = async (): Promise<unknown> =>
    (await stage.database.pool.query("SELECT state FROM agents WHERE id = $1", [applied.agent_id]))
      .rows[0].state;
  await judge.tells(["agents", "pause", "turret"], ["turret is paused"]);
  judge.same(await state(), "paused", "the state of a paused agent");
  await judge.answers(["agents", "pause", "turret"]);
  await judge.answers(["agents", "resume", "turret"]);
  judge.same(await state(), "live", "the state of a resumed agent");
  await judge.tells(["agents", "resume", "turret"], ["turret is live"]);

  await judge.tells(["agents", "snippet", "turret"], [applied.agent_id, "svc-sdk"]);
  await judge.tells(["agents", "snippet", "turret", "--patient"], ["startDemo", "Promise"]);
  await judge.answers(["agents", "snippet", applied.agent_id]);

  const minted = await judge.answers<{ token: string }>([
    "agents",
    "preview",
    "turret",
    "--expires",
    "7d",
    "--label",
    "review",
  ]);
  judge.check(minted.token.length > 20, "agents preview gives no token");
  await judge.tells(["agents", "preview", "turret"], ["shown this once"]);

  const bad = join(directory, "agents", "cube");
  const yaml = await readFile(join(bad, "agent.yaml"), "utf8");
  await writeFile(join(bad, "agent.yaml"), `${yaml}\nnmae: Cube\n`);
  await Promise.all([
    judge.refuses(["agents", "show", "glados"], 1, 'There is no agent "glados".'),
    judge.refuses(["agents", "snippet", "glados"], 1, 'There is no agent "glados".'),
    judge.refuses(["agents", "pause", "glados"], 1, 'There is no agent "glados".'),
    judge.refuses(["agents", "init", folder], 1, folder),
    judge.refuses(["agents", "plan", join(directory, "nothing"), ...ofAperture], 1, directory),
    judge.refuses(["agents", "apply", bad, ...ofAperture], 2, bad),
    judge.refuses(["agents", "preview", "turret", "--expires", "soon"], 2, '"soon" is no'),
  ]);
};
