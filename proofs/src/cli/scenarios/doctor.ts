import { environmentOf } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

export const doctor: Scenario = async ({ stage, judge }) => {
  await stage.database.pool.query(
    "SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date + d) FROM generate_series(0, 1) AS d",
  );
  const { checks } = await judge.answers<Examination>(["doctor"]);
  const ailing = checks.filter(({ state, fix }) => state === "fail" || fix !== undefined);
  judge.same(ailing, [], "a healthy database, as the doctor tells it,");
  judge.check(checks.length >= 9, `the doctor looks at ${checks.length} things`);

  const open = await stage.cloneDatabase();
  await open.pool.query("ALTER TABLE session_exports DISABLE ROW LEVEL SECURITY");
  const { SVC_PUBLIC_URL: _, ...incomplete } = environmentOf(open);
  const ill = judge.in({ environment: incomplete });
  await ill.tells(
    ["doctor"],
    ["fail  configuration", "SVC_PUBLIC_URL", "sees every account", "warn  log part", "2 failed"],
    1,
  );
};

export interface Examination {
  checks: { name: string; state: string; fix?: string }[];
}
