import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { addCustomer, addReceiver, playEvaluated, playSession } from "@svc/server/testing";
import { breakAudit, fingerprint } from "../audited.ts";
import { environmentOf } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

/** Where the audit cannot be written, no command changes anything. */
export const brokenAudit: Scenario = async ({ stage, judge, directory }) => {
  const database = await stage.cloneDatabase();
  const customer = await addCustomer(database.db, { name: "Soylent" });
  const { account, tokenId } = customer;
  const session = await playSession(database.db, customer);
  const endpoint = await addReceiver(database.db, customer, "http://127.0.0.1:9/hook");
  await playEvaluated(database.db, customer);
  await database.pool.query("UPDATE deliveries SET state = 'exhausted', finished_at = now()");
  const broken = judge.in({ environment: environmentOf(database) });
  const folder = join(directory, "agents", "green");
  await broken.run(["agents", "init", folder]);
  await writeFile(
    join(directory, "soylent.ndjson"),
    `${JSON.stringify({ id: "0e0e0e0e-0000-4000-8000-0000000000ff", agent_id: "x", status: "abandoned", created_at: "2025-03-01T10:00:00.250Z" })}\n`,
  );
  const soylent = ["--account", "soylent"];
  const changes = [
    ["accounts", "add", "Second"],
    ["accounts", "set", account.clientId, "--retention-days", "30"],
    ["tokens", "issue", account.clientId, "--label", "unaudited"],
    ["tokens", "revoke", String(tokenId)],
    ["agents", "apply", folder, ...soylent],
    ["agents", "pause", "guide"],
    ["agents", "preview", "guide"],
    ["sessions", "import", join(directory, "soylent.ndjson"), ...soylent, "--agent", "guide"],
    ["evaluate", session.id, "--no-wait"],
    ["webhooks", "add", "https://soylent.example/hook", ...soylent],
    ["webhooks", "pause", endpoint.id],
    ["webhooks", "rotate", endpoint.id],
    ["webhooks", "remove", endpoint.id],
    ["webhooks", "test", endpoint.id],
    ["deliveries", "replay", "1"],
    ["mail", "suppress", "ada@soylent.example", ...soylent],
    ["mail", "allow", "bob@soylent.example", ...soylent],
  ];
  await broken.run(["mail", "suppress", "bob@soylent.example", ...soylent]);
  await breakAudit(database);
  const before = await fingerprint(database);
  const runs = await Promise.all(changes.map((argv) => broken.run(argv)));
  for (const { argv, exitCode, out, err } of runs) {
    const line = `svc ${argv.slice(0, 2).join(" ")}`;
    broken.check(exitCode > 0 && out === "", `${line} says it is done, though the audit is broken`);
    broken.check(
      err.includes("The audit is full."),
      `${line} does not say that the audit failed: ${err}`,
    );
  }
  const after = await fingerprint(database);
  broken.check(
    after === before,
    `a change was made without its audit: ${difference(before, after)}`,
  );

  // The control: with the audit mended, the same commands do change something.
  await database.pool.query("DROP TRIGGER refuse_audit ON audit");
  await broken.tells(["accounts", "add", "Second"], ["Added Second."]);
  broken.check((await fingerprint(database)) !== before, "the fingerprint notices no change");
};

function difference(before: string, after: string): string {
  const known = new Set(before.split("\n"));
  return after
    .split("\n")
    .filter((line) => !known.has(line))
    .join(", ");
}
