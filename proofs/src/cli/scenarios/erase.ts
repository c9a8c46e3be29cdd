import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addCustomer, playSession } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Erased {
  erased: boolean;
  accounts: { account_name: string; sessions: number; receipt?: string; session_ids: string[] }[];
}

interface Receipts {
  erasures: { receipt: string; account_name: string; scope: string; sessions: number }[];
  more: boolean;
}

const ADA = "ada@oscorp.example";

/** Erasure, its receipts, and what is kept of a person. */
export const erase: Scenario = async ({ stage, judge, directory }) => {
  const { db, pool } = stage.database;
  const [oscorp, queen] = [
    await addCustomer(db, { name: "Oscorp" }),
    await addCustomer(db, { name: "Queen" }),
  ];
  const ids: string[] = [];
  for (const customer of [oscorp, oscorp, queen]) {
    ids.push((await playSession(db, customer, { metadata: { email: ADA } })).id);
  }
  const left = async (): Promise<number> =>
    (await pool.query("SELECT FROM sessions WHERE id = ANY ($1)", [ids])).rowCount!;

  const subject = ["subject", "export", "--email", ADA, "--account", "oscorp"];
  const output = ["--output", "ada.jsonl"];
  const { conversations } = await judge.answers<{ conversations: number }>([...subject, ...output]);
  const lines = (await readFile(join(directory, "ada.jsonl"), "utf8")).trimEnd().split("\n");
  judge.same([conversations, lines.length], [2, 2], "subject export");
  const taken = `${join(directory, "ada.jsonl")} cannot be written.`;
  await judge.refuses([...subject, ...output], 1, taken);

  const all = ["erase", "--email", ADA];
  await judge.tells(all, ["Oscorp", "Queen", "Nothing has been changed", "--yes"]);
  judge.same(await left(), 3, "erase without --yes");
  const one = await judge.answers<Erased>([...all, "--account", "queen", "--yes"]);
  judge.same(one.accounts[0]?.session_ids, [ids[2]], "erase --account");
  await judge.tells(["erase", "--session", ids[0]!, "--yes"], ["RECEIPT", "Erased."]);
  const { erased, accounts } = await judge.answers<Erased>([...all, "--yes"]);
  judge.same([erased, accounts[0]?.sessions, await left()], [true, 1, 0], "erase --yes");
  await judge.refuses([...all, "--yes"], 1, "Nothing is kept of that address.");

  const list = ["erasures", "list", "--account", "oscorp"];
  const { erasures } = await judge.answers<Receipts>([...list, "--since", "1h"]);
  judge.same(
    erasures.map(({ scope, sessions }) => [scope, sessions]),
    [
      ["person", 1],
      ["session", 1],
    ],
    "erasures list",
  );
  const { more } = await judge.answers<Receipts>([...list, "--limit", "1"]);
  judge.check(more, "erasures list does not tell that there is more");
};
