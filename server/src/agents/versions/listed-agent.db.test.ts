import { changeSettings } from "#accounts";
import { hashToken, transact } from "#platform";
import { addCustomer, applyFolder, exportRow, playSession } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { plainConfig } from "../file/resolve-config.ts";
import { mintPreviewToken } from "../visitor/preview-token.ts";
import { EXAMPLE_AGENT } from "../file/init-agent.ts";
import { findStartableAgent } from "../visitor/startable-agent.ts";
import { addAgentVersion, readAgentAtVersion } from "./agent.ts";
import { findAgent, listAgents, listVersions, removeAgent, setAgentState } from "./listed-agent.ts";

describe("an operator", () => {
  databaseTest("finds an agent by id, and by name where that is enough", async ({ database }) => {
    const { db } = database;
    const one = await addCustomer(db);
    expect(await findAgent(db, "guide")).toMatchObject({ id: one.agent.agentId, slug: "guide" });
    await addCustomer(db);
    await expect(findAgent(db, "guide")).rejects.toMatchObject({ code: "conflict" });
    expect(await findAgent(db, ` ${one.agent.agentId} `)).toMatchObject({ id: one.agent.agentId });
    await expect(findAgent(db, "nobody")).rejects.toMatchObject({ code: "not_found" });
  });

  databaseTest(
    "sees each agent with its newest version, of one account or of all",
    async ({ database }) => {
      const { db } = database;
      const [a, b] = [await addCustomer(db), await addCustomer(db)];
      await transact(db, (trx) =>
        addAgentVersion(trx, "ben", a.account.id, a.agent.agentId, plainConfig("Second")),
      );
      expect((await listAgents(db)).map(({ id, version }) => [id, version])).toEqual([
        [a.agent.agentId, 2],
        [b.agent.agentId, 1],
      ]);
      expect((await listAgents(db, b.account.id)).map(({ id }) => id)).toEqual([b.agent.agentId]);
      expect(await listVersions(db, a.agent.agentId)).toMatchObject([
        { version: 2, createdBy: "ben" },
        { version: 1, createdBy: "test" },
      ]);
    },
  );

  databaseTest(
    "pauses and resumes, which is audited when it changes something",
    async ({ database }) => {
      const { db, pool } = database;
      const { agent } = await addCustomer(db);
      const set = async (state: "live" | "paused"): Promise<boolean> =>
        transact(db, async (trx) =>
          setAgentState(trx, "ada", await findAgent(trx, agent.agentId), state),
        );
      expect([await set("paused"), await set("paused"), await set("live")]).toEqual([
        true,
        false,
        true,
      ]);
      const { rows } = await pool.query(
        "SELECT action FROM audit WHERE subject = $1 AND actor = 'ada' ORDER BY id",
        [agent.agentId],
      );
      expect(rows).toEqual([{ action: "agent.pause" }, { action: "agent.resume" }]);
    },
  );
});

describe("a preview token", () => {
  databaseTest("is kept as a hash, with its end", async ({ database }) => {
    const { db, pool } = database;
    const { agent } = await addCustomer(db);
    const minted = await transact(db, async (trx) =>
      mintPreviewToken(trx, "ada", "aa", await findAgent(trx, agent.agentId), {
        label: " review ",
        expiresInSecs: 3_600,
      }),
    );
    expect(minted).toMatchObject({
      label: "review",
      token: expect.stringMatching(/^preview_aa\w{49}$/),
    });
    const { rows } = await pool.query(
      "SELECT hash, label, created_by, extract(epoch FROM expires_at - created_at)::integer AS secs, t::text AS whole FROM preview_tokens t",
    );
    expect(rows).toMatchObject([
      { hash: hashToken(minted.token), label: "review", created_by: "ada", secs: 3_600 },
    ]);
    const { rows: everywhere } = await pool.query("SELECT detail::text FROM audit");
    expect(JSON.stringify([rows, everywhere])).not.toContain(minted.token);
  });

  databaseTest("lives a minute at least and 30 days at most", async ({ database }) => {
    const { db } = database;
    await addCustomer(db);
    for (const expiresInSecs of [0, 59, 30 * 86_400 + 1]) {
      const work = transact(db, async (trx) =>
        mintPreviewToken(trx, "ada", "aa", await findAgent(trx, "guide"), {
          label: "x",
          expiresInSecs,
        }),
      );
      await expect(work).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  databaseTest("removes an agent, and brings it back with its folder", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const { account } = customer;
    const applied = await applyFolder(db, account.id, EXAMPLE_AGENT);
    const id = applied.agentId;
    const { slug } = applied.plan;
    const session = await playSession(db, { ...customer, agent: applied });
    await transact(db, async (trx) => {
      await changeSettings(trx, "ada", account.id, { defaultAgentId: id });
      await removeAgent(trx, "ada", await findAgent(trx, id));
    });
    const listed = async (): Promise<string[]> => (await listAgents(db)).map((one) => one.slug);
    expect(await listed()).toEqual(["guide"]);
    for (const named of [id, account.clientId])
      expect(await findStartableAgent(db, named)).toBeUndefined();
    await expect(findAgent(db, slug)).rejects.toThrow("was removed");
    expect(await findAgent(db, slug, account.id, { removed: true })).toMatchObject({ id });
    // What the session refers to is still there, and so is the session's place in the export.
    expect((await readAgentAtVersion(db, applied)).knowledge.length).toBeGreaterThan(0);
    expect(await exportRow(database, session.id)).toMatchObject({ agent_id: id });
    // The release before knows removed agents as paused ones.
    const { rows } = await pool.query("SELECT state FROM agents WHERE id = $1", [id]);
    expect(rows).toEqual([{ state: "paused" }]);

    const again = await applyFolder(db, account.id, EXAMPLE_AGENT);
    expect(again).toMatchObject({
      agentId: id,
      version: 1,
      plan: { isRemoved: true, changes: [] },
    });
    expect(await findStartableAgent(db, id)).toMatchObject({ version: 1, state: "live" });
    const { rows: told } = await pool.query(
      "SELECT action FROM audit WHERE subject = $1 ORDER BY id DESC LIMIT 2",
      [id],
    );
    expect(told).toEqual([{ action: "agent.restore" }, { action: "agent.remove" }]);
  });
});
