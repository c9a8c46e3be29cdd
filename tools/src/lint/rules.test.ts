import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import { importRule } from "./import-rule.ts";
import type { Rule } from "./place.ts";
import { outsideDataRule, sqlRule, timeRule } from "./server-rules.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const root = new URL("../../../", import.meta.url).pathname;

/** Each line is a program of its own. */
function check(rule: Rule, path: string, cases: { lawful: string[]; forbidden: string[] }): void {
  const filename = root + path;
  new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } }).run(path, rule, {
    valid: cases.lawful.map((code) => ({ code, filename })),
    invalid: cases.forbidden.map((code) => ({ code, filename, errors: 1 })),
  });
}

check(importRule, "server/src/sessions/verbs.ts", {
  lawful: [
    'import { clock } from "#platform";',
    'export { start } from "./start.ts";',
    "const name = './x.ts'; void import(name);",
    "export const one = 1;",
    'notRequire("#api");',
  ],
  forbidden: [
    'import { a } from "#api";',
    'import "#api";',
    'import type { A } from "#api";',
    'export { a } from "#api";',
    'export * from "#api";',
    'export type { A } from "#api";',
    'void import("#api");',
    'type A = import("#api").A;',
    'import api = require("#api");',
    'require("#api");',
  ],
});

check(sqlRule, "server/src/sessions/verbs.ts", {
  lawful: [
    'const text = "Select one from the list";',
    'const text = "update the record";',
    'const text = "Delete from your side too";',
    "list.select(from);",
    "css`select a from b`;",
  ],
  forbidden: [
    'db.selectFrom("sessions");',
    'trx.with("a", b).insertInto("sessions");',
    "sql`now()`;",
    "sql<number>`now()`;",
    "sql.raw`now()`;",
    'client.query("select * from sessions where id = $1");',
    "client.query(`\n  SELECT id FROM sessions`);",
    "client.query(`select ${fields} from sessions`);",
    "client.query(`update ${table} set a = 1`);",
    'client.query("with old as (select 1) delete from x");',
    'client.query("SET LOCAL svc.account = 1");',
    'client.query("select set_config($1, $2, true)");',
    'client.query("select 1");',
    "copyTo(`copy (select 1) to stdout`);",
  ],
});
check(sqlRule, "server/src/sessions/export-store.ts", {
  lawful: ['db.selectFrom("sessions");'],
  forbidden: [],
});

check(timeRule, "server/src/sessions/verbs.ts", {
  lawful: ["new Date(row.createdAt);", "setTimeout(stop, 10);", "clock.nowMs();"],
  forbidden: [
    "Date.now();",
    "const f = (now = Date.now) => now;",
    "new Date();",
    "new Date;",
    "Date();",
    "performance.now();",
  ],
});

check(outsideDataRule, "server/src/api/routes.ts", {
  lawful: [
    "schema.parse(JSON.parse(text));",
    "parseCursor(JSON.parse(text));",
    "const body: unknown = JSON.parse(text);",
    "const body = JSON.parse(text) as unknown;",
    "const body = schema.safeParse(await response.json());",
    "const anything = z.json();",
    "const body = schema.parse(request.body);",
    "const body = request.body as unknown;",
  ],
  forbidden: [
    "const body = JSON.parse(text);",
    "const body: Body = JSON.parse(text);",
    "const body = JSON.parse(text) as Body;",
    "keep(JSON.parse(text));",
    "const f = () => JSON.parse(text);",
    "const body = await response.json();",
    "const body = (await response.json()) as Body;",
    "const query = request.query as Query;",
  ],
});
