import { addCustomer, playSession, start } from "@svc/server/testing";
import { words } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

interface Shown {
  id: number;
  client_id: string;
  name: string;
  settings: Record<string, unknown>;
  sessions: unknown;
  tokens: { id: number }[];
  edge?: { session_id: string; held: number };
}

const COLUMNS = `export_mode, default_agent_id AS default_agent, contact_email AS contact, retention_days, follow_up, limits`;

export const accounts: Scenario = async ({ stage, judge }) => {
  const { db, pool } = stage.database;
  const stored = async (clientId: string): Promise<Record<string, unknown>> =>
    (await pool.query(`SELECT ${COLUMNS} FROM accounts WHERE client_id = $1`, [clientId])).rows[0];

  const initech = await judge.answers<Shown>(["accounts", "add", "Initech"]);
  await judge.tells(["accounts", "add", "Initrode"], ["Added Initrode.", "client_aa"]);
  judge.check((await stored(initech.client_id)) !== undefined, "accounts add stored nothing");

  const umbrella = await addCustomer(db, { name: "Umbrella" });
  await playSession(db, umbrella);
  const open = await start(db, umbrella);
  await playSession(db, umbrella);
  const { clientId, id } = umbrella.account;

  const { accounts: listed } = await judge.answers<{ accounts: Shown[] }>(["accounts", "list"]);
  const named = ["Initech", "Initrode", "Umbrella"];
  const found = listed.filter(({ name }) => named.includes(name)).map(({ name }) => name);
  judge.same(found, named, "accounts list");
  await judge.tells(["accounts", "list"], [...named, clientId]);

  const shown = await judge.answers<Shown>(["accounts", "show", String(id)]);
  judge.same([shown.client_id, shown.name], [clientId, "Umbrella"], "accounts show");
  judge.same(shown.edge, { ...shown.edge, session_id: open.id, held: 1 }, "what holds the export");
  judge.same(
    shown.sessions,
    { active: 1, last_24_hours: { abandoned: 0, processed: 2, error: 0 } },
    "counts of accounts show",
  );
  judge.same(
    shown.tokens.map((token) => token.id),
    [umbrella.tokenId],
    "tokens of accounts show",
  );
  await judge.tells(["accounts", "show", "umbr"], [clientId, `Held at session ${open.id}`]);

  const set = ["accounts", "set", clientId];
  const { changed } = await judge.answers<{ changed: unknown[] }>([
    ...set,
    ...words("--export-mode as_available --default-agent guide --follow-up on"),
    ...words("--contact ops@umbrella.example --retention-days 90"),
    ...words("--limit at_once_per_agent=200 --limit at_once_per_address=none"),
  ]);
  judge.check(changed.length === 7, `accounts set tells ${changed.length} of 7 changes`);
  judge.same(
    await stored(clientId),
    {
      export_mode: "as_available",
      default_agent: umbrella.agent.agentId,
      contact: "ops@umbrella.example",
      retention_days: 90,
      follow_up: true,
      limits: { at_once_per_agent: 200, at_once_per_address: null },
    },
    "accounts set",
  );
  const { settings } = await judge.answers<Shown>(["accounts", "show", clientId]);
  judge.same(
    [settings["contact"], settings["retention_days"], settings["default_agent"]],
    ["ops@umbrella.example", 90, umbrella.agent.agentId],
    "accounts show after set",
  );
  const back = [
    ...set,
    ...words("--export-mode settled_prefix --follow-up off --contact none"),
    ...words("--limit at_once_per_agent=default --default-agent none"),
  ];
  await judge.tells(back, ["limits.at_once_per_agent", "200", "settled_prefix"]);
  await judge.tells(back, ["Nothing changed"]);
  judge.same(
    await stored(clientId),
    {
      export_mode: "settled_prefix",
      default_agent: null,
      contact: null,
      retention_days: 90,
      follow_up: false,
      limits: { at_once_per_address: null },
    },
    "accounts set back",
  );

  const stayed = await stored(clientId);
  await Promise.all([
    judge.refuses(["accounts", "show", "initech or so"], 1, "There is no account"),
    judge.refuses(["accounts", "show", "init"], 1, '"init" fits several accounts.'),
    judge.refuses(["accounts", "add", "  "], 2, "The account's name was not taken."),
    judge.refuses(set, 2, "There is nothing to set."),
    judge.refuses([...set, "--limit", "at_once=5"], 2, 'There is no limit "at_once".'),
    judge.refuses([...set, "--limit", "at_once_per_agent=0"], 2, "The limit at_once_per_agent"),
    judge.refuses([...set, "--retention-days", "0"], 2, '"0" is no number of days.'),
    judge.refuses([...set, "--contact", "nobody"], 2, "The contact was not taken."),
    judge.refuses([...set, "--default-agent", "nobody"], 1, 'There is no agent "nobody".'),
    judge.refuses([...set, "--export-mode", "fast"], 2, "This command line was not understood."),
  ]);
  judge.same(await stored(clientId), stayed, "an account after refused changes");
};
