import pg from "pg";
import { environmentOf } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";
import type { Examination } from "./doctor.ts";

/** The database's own commands, on a database that is empty at first. */
export const db: Scenario = async ({ stage, judge }) => {
  const name = "svc_fresh";
  const admin = new pg.Client({ connectionString: stage.cluster.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = stage.database.url.replace(/[^/]+$/, name);
  const exportUrl = stage.database.exportUrl.replace(/[^/]+$/, name);
  const fresh = judge.in({ environment: environmentOf({ url, exportUrl }) });

  await fresh.refuses(["accounts", "list"], 3, "The database's schema does not fit");
  const { checks } = await fresh.answers<Examination>(["doctor"], 1);
  const failed = checks.filter(({ state }) => state === "fail").map((check) => check.name);
  const ailing = ["migrations", "export login", "unsettled sessions", "follow-up mails"];
  fresh.same(failed, ailing, "doctor");
  await fresh.tells(["db", "status"], ["missing", "Run `svc db migrate`."], 1);
  const before = await fresh.answers<{ migrations: { applied_at?: string }[] }>(
    ["db", "status"],
    1,
  );
  const { applied } = await fresh.answers<{ applied: string[] }>(["db", "migrate"]);
  fresh.check(applied.length === before.migrations.length, `${applied.length} migrations applied`);
  await fresh.tells(["db", "migrate"], ["The schema is up to date."]);
  await fresh.tells(["db", "status"], applied);
  await fresh.tells(["accounts", "list"], ["No accounts yet. Add one: svc accounts add"]);
};
