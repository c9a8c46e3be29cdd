import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCustomer, playSession } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { commandLineUnderTest } from "../command-line-under-test.ts";
import type { CommandLine } from "../command-line-under-test.ts";

const ADA = "ada@example.com";

interface Desk extends CommandLine {
  ids: string[];
  directory: string;
}

/** Ada has talked to Acme twice and to Globex once, Bob to Acme. */
async function desk({ db }: TestDatabase): Promise<Desk> {
  const ids: string[] = [];
  for (const [name, times] of [
    ["Acme", 2],
    ["Globex", 1],
  ] as const) {
    const customer = await addCustomer(db, { name });
    for (let time = 0; time < times; time++) {
      ids.push((await playSession(db, customer, { metadata: { email: ADA } })).id);
    }
    if (name === "Acme")
      await playSession(db, customer, { metadata: { email: "bob@example.com" } });
  }
  const directory = await mkdtemp(join(tmpdir(), "svc-erase-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return { ids, directory, ...commandLineUnderTest({ db: () => db, directory }) };
}

async function sessions({ pool }: TestDatabase): Promise<number> {
  return (await pool.query("SELECT FROM sessions")).rowCount!;
}

// G1
describe("svc erase", () => {
  databaseTest("shows what would go, and erases with --yes alone", async ({ database }) => {
    const { ids, svc, json } = await desk(database);
    const shown = await svc("erase", "--email", ADA);
    expect(shown.out).toMatch(/^Acme +2 /m);
    expect(shown.out).toContain("Nothing has been changed.");
    expect(shown.out).toContain("Run it again with --yes to erase.");
    expect(await sessions(database)).toBe(4);

    const done = await json("erase", "--email", "Ada@Example.com", "--yes");
    expect(done).toMatchObject({
      erased: true,
      accounts: [
        { account_name: "Acme", sessions: 2, session_ids: ids.slice(0, 2).toSorted() },
        { account_name: "Globex", sessions: 1, session_ids: ids.slice(2) },
      ],
    });
    expect(await sessions(database)).toBe(1);
    const again = await svc("erase", "--email", ADA, "--yes");
    expect(again.err).toContain("Nothing is kept of that address.");
    expect(again.err).not.toContain("ada@");
  });

  databaseTest("keeps to one account, or to one session", async ({ database }) => {
    const { ids, svc, json } = await desk(database);
    await svc("erase", "--email", ADA, "--account", "globex", "--yes");
    expect(await sessions(database)).toBe(3);
    expect(await json("erase", "--session", ids[0]!, "--yes")).toMatchObject({
      accounts: [{ account_name: "Acme", session_ids: [ids[0]] }],
    });
    expect(await sessions(database)).toBe(2);
    expect((await svc("erase", "--session", ids[0]!)).err).toContain("There is no session");
  });

  databaseTest("must be told whom", async ({ database }) => {
    const { ids, svc } = await desk(database);
    for (const argv of [
      [],
      ["--yes"],
      ["--account", "acme"],
      ["--email", ADA, "--session", ids[0]!],
    ]) {
      const { exitCode, err } = await svc("erase", ...argv);
      expect(exitCode).not.toBe(0);
      expect(err).toContain("It is not said whom or what to erase.");
    }
  });

  databaseTest("leaves receipts that are listed and name nobody", async ({ database }) => {
    const { svc, json } = await desk(database);
    expect((await svc("erasures", "list")).out).toContain("Nothing was erased.");
    await svc("erase", "--email", ADA, "--yes");
    expect(await json("erasures", "list", "--account", "acme")).toMatchObject({
      erasures: [{ account_name: "Acme", scope: "person", asked_by: "operator:ada", sessions: 2 }],
      more: false,
    });
    const { out } = await svc("erasures", "list", "--limit", "1");
    expect(out).toContain("There are older ones");
    expect(out).not.toContain("@");
  });
});

// G5
describe("svc db restored", () => {
  databaseTest("erases again what the logs and outputs say was erased", async ({ database }) => {
    const { ids, directory, svc, json } = await desk(database);
    const [first, second, third] = ids;
    const gone = "01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f";
    const logged = { level: "info", msg: "erased", receipt: gone, sessionIds: [first, gone] };
    await writeFile(
      join(directory, "api.log"),
      `{"msg":"started"}\n${JSON.stringify(logged)}\nno JSON\n{"msg":"erased","sessionIds":["01932c1e`,
    );
    const printed = JSON.stringify(
      { erased: true, accounts: [{ session_ids: [second] }] },
      null,
      2,
    );
    const onlyShown = JSON.stringify(
      { erased: false, accounts: [{ session_ids: [third] }] },
      null,
      2,
    );
    await writeFile(join(directory, "erase.json"), `${onlyShown}\n${printed}\n`);
    const argv = ["db", "restored", "--erased", "api.log", "--erased", "erase.json"];
    expect(await json(...argv)).toMatchObject({ erasures_found: 3, erased_again: 2 });
    expect(await sessions(database)).toBe(2);
    expect(await json("erasures", "list")).toMatchObject({
      erasures: [{ asked_by: "operator:ada" }, { asked_by: "operator:ada" }],
    });
    expect((await svc(...argv)).out).toContain("0 of 3 erased sessions were back");
  });

  databaseTest("tells what it drops, and that no erasure was named", async ({ database }) => {
    const { svc } = await desk(database);
    const { out } = await svc("db", "restored");
    expect(out).toContain("0 waiting mails are dropped");
    expect(out).toContain("No erasure was named.");
    const { err } = await svc("db", "restored", "--erased", "nowhere.log");
    expect(err).toContain("The file nowhere.log cannot be read.");
    const { rowCount } = await database.pool.query("SELECT FROM restores");
    expect(rowCount).toBe(1);
  });
});

// G4
describe("svc subject export", () => {
  databaseTest("writes each conversation as a line, for one reader", async ({ database }) => {
    const { ids, directory, svc, json } = await desk(database);
    const file = join(directory, "ada.jsonl");
    const argv = ["subject", "export", "--email", ADA, "--output", "ada.jsonl"];
    expect(await json(...argv)).toEqual({ file, conversations: 3 });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ session_id: id }) => id)).toEqual(ids);
    expect(told[0]).toMatchObject({
      account: "Acme",
      agent: "Guide",
      email: ADA,
      metadata: { email: ADA },
      transcript: [{ role: "assistant" }, { role: "user" }],
      summary: "They need a demo.",
      evaluation: { qualification: { status: "qualified" } },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await svc(...argv)).err).toContain("There is a file of that name already.");
  });

  databaseTest("of nobody writes no file", async ({ database }) => {
    const { directory, svc } = await desk(database);
    const { err } = await svc("subject", "export", "--email", "eve@example.com", "--output", "eve");
    expect(err).toContain("Nothing is kept of that address.");
    await expect(stat(join(directory, "eve"))).rejects.toThrow("ENOENT");
  });
});
