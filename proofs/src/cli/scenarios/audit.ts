import { addCustomer } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Audit {
  entries: { actor: string; action: string; subject: string; detail: unknown }[];
  more: boolean;
}

export const audit: Scenario = async ({ stage, judge }) => {
  const { account } = await addCustomer(stage.database.db, { name: "Cyberdyne" });
  const { id } = await judge.answers<{ id: number }>([
    "tokens",
    "issue",
    "cyberdyne",
    "--label",
    "audited",
  ]);
  await judge.answers(["tokens", "revoke", String(id)]);
  const list = ["audit", "list", "--account", account.clientId];
  const { entries } = await judge.answers<Audit>([...list, "--since", "1h"]);
  judge.same(
    entries.slice(0, 2).map(({ action, subject, detail }) => [action, subject, detail]),
    [
      ["token.revoke", String(id), {}],
      ["token.issue", String(id), { label: "audited" }],
    ],
    "audit list",
  );
  const { rows } = await stage.database.pool.query(
    "SELECT count(*)::integer AS count FROM audit WHERE account_id = $1",
    [account.id],
  );
  judge.same(entries.length, rows[0].count, "the number of audit entries");
  const { more } = await judge.answers<Audit>([...list, "--limit", "1"]);
  judge.check(more, "audit list does not tell that there is more");
  await judge.tells([...list, "--limit", "2"], ["token.revoke", "label audited", "raise --limit"]);
  await judge.tells(["audit", "list", "--since", "2099-01-01"], ["No change fits."]);
  await judge.refuses(["audit", "list", "--account", "skynet"], 1, 'There is no account "skynet".');
};
