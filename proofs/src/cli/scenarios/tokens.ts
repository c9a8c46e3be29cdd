import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { addCustomer } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Listed {
  tokens: { id: number; label: string; revoked_at?: string }[];
}

/** A4: a server that has seen the token a moment ago may take it this long. */
const REVOKED_WITHIN_MS = 5_000;

export const tokens: Scenario = async ({ stage, judge: plain }) => {
  const server = await stage.startServer({ SVC_MIGRATE: "off" });
  const judge = plain.in({
    environment: { ...plain.surroundings.environment, SVC_PUBLIC_URL: server.url },
  });
  const { account } = await addCustomer(stage.database.db, { name: "Hooli" });
  const status = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${server.url}/v1/sessions.json`, { headers })).status;
  };

  const issue = ["tokens", "issue", "hooli", "--label"];
  const [first, printed, unseen] = await Promise.all([
    judge.answers<{ id: number; token: string }>([...issue, "warehouse"]),
    judge.tells([...issue, "by hand"], ["curl", "shown this once"]),
    judge.answers<{ id: number; token: string }>([...issue, "never used"]),
  ]);
  judge.check((await status(first.token)) === 200, "a token that was issued does not work");
  const lines = printed.out.split("\n").filter((line) => /^ {2}(?:SVC_TOKEN=|curl )/.test(line));
  const curl = await promisify(execFile)("bash", ["-c", lines.join("\n")]);
  judge.check(lines.length === 2 && curl.stdout.startsWith('{"items":['), "the curl line fails");

  await judge.tells(["tokens", "revoke", String(unseen.id)], [`Revoked token ${unseen.id}`]);
  judge.check(
    (await status(unseen.token)) === 401,
    "a revoked token works on a server that never saw it",
  );

  await status(first.token);
  await judge.answers(["tokens", "revoke", String(first.id)]);
  const revokedAt = performance.now();
  while ((await status(first.token)) === 200) {
    if (performance.now() - revokedAt > REVOKED_WITHIN_MS) {
      judge.check(false, `a revoked token works after ${REVOKED_WITHIN_MS} ms`);
      break;
    }
    await delay(50);
  }

  const { tokens: listed } = await judge.answers<Listed>(["tokens", "list", account.clientId]);
  judge.same(
    listed
      .map(({ label, revoked_at: at }) => `${label}: ${at === undefined ? "works" : "revoked"}`)
      .toSorted(),
    ["by hand: works", "never used: revoked", "test: works", "warehouse: revoked"],
    "tokens list",
  );
  await judge.tells(["tokens", "list", "hooli"], ["warehouse", "revoked", "by hand", "works"]);
  await Promise.all([
    judge.refuses(
      ["tokens", "revoke", String(first.id)],
      1,
      `There is no working token ${first.id}.`,
    ),
    judge.refuses(["tokens", "revoke", "first"], 2, '"first" is no token number.'),
    judge.refuses(["tokens", "issue", "hooli"], 2, "This command line was not understood."),
    judge.refuses([...issue, " "], 2, "The label was not taken."),
    judge.refuses(["tokens", "list", "hooligans"], 1, 'There is no account "hooligans".'),
  ]);
};
