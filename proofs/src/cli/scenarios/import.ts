import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addCustomer } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Imported {
  read: number;
  ready: number;
  imported: number;
  to_evaluate: number;
  already_there: number;
  refused: number;
}

export const imports: Scenario = async ({ stage, judge, directory }) => {
  const { account } = await addCustomer(stage.database.db, { name: "Weyland" });
  const id = (number: number): string => `0e0e0e0e-0000-4000-8000-00000000000${number}`;
  const session = (number: number): object => ({
    id: id(number),
    agent_id: "agent_of_before",
    status: "processed",
    created_at: `2025-03-0${number}T10:00:00.250Z`,
    duration_secs: 61,
    transcript: [{ role: "user", content: "Hello" }],
    summary: "A short talk.",
    evaluation: { summary: "A short talk." },
  });
  await writeFile(
    join(directory, "old.ndjson"),
    [1, 2, 3].map((n) => JSON.stringify(session(n))).join("\n"),
  );
  const talk = { agent_id: "agent_of_before", created_at: "2025-03-08T10:00:00.250Z" };
  const spoken = { ...talk, id: id(8), transcript: [{ role: "user", content: "Hello" }] };
  const silent = { ...talk, id: id(9), status: "error" };
  await writeFile(
    join(directory, "talks.ndjson"),
    [spoken, silent].map((one) => JSON.stringify(one)).join("\n"),
  );
  await writeFile(join(directory, "bad.ndjson"), `${JSON.stringify(session(4))}\n{"id": 7}\n`);
  const file = (name: string): string[] => [
    "sessions",
    "import",
    join(directory, name),
    "--account",
    "weyland",
    "--agent",
    "guide",
  ];
  const stored = async (): Promise<number> =>
    (await stage.database.pool.query("SELECT 1 FROM sessions WHERE account_id = $1", [account.id]))
      .rowCount!;

  const dry = await judge.answers<Imported>([...file("old.ndjson"), "--dry-run"]);
  judge.same([dry.ready, dry.imported, await stored()], [3, 0, 0], "a dry run");
  const real = await judge.answers<Imported>(file("old.ndjson"));
  judge.same([real.imported, await stored()], [3, 3], "an import");
  const again = await judge.tells(file("old.ndjson"), ["3 already there"]);
  judge.check(again.exitCode === 0 && (await stored()) === 3, "a second import added sessions");
  const bad = await judge.answers<Imported>(file("bad.ndjson"), 1);
  judge.check(bad.refused === 1, `a bad file: ${bad.refused} lines refused`);

  const unevaluated = [...file("talks.ndjson"), "--unevaluated"];
  const talks = await judge.answers<Imported>(unevaluated);
  judge.same([talks.imported, talks.to_evaluate], [2, 1], "an import to be evaluated");
  const { rows } = await stage.database.pool.query<{ status: string }>(
    "SELECT status FROM sessions WHERE id IN ($1, $2) ORDER BY id",
    [id(8), id(9)],
  );
  judge.same(
    rows.map(({ status }) => status),
    ["active", "abandoned"],
    "what waits and what does not",
  );
  await judge.tells(unevaluated, ["2 already there"]);
  const judged = await judge.answers<Imported>([...file("old.ndjson"), "--unevaluated"], 1);
  judge.check(judged.refused === 3, `evaluated sessions: ${judged.refused} refused`);

  await Promise.all([
    judge.refuses(file("none.ndjson"), 2, "The file"),
    judge.refuses(["sessions", "import", "old.ndjson"], 2, "This command line was not understood."),
  ]);
};
