import { importRule } from "./import-rule.ts";
import { outsideDataRule } from "./outside-data-rule.ts";
import type { Rule } from "./rule.ts";
import { sqlRule } from "./sql-rule.ts";
import { timeRule } from "./time-rule.ts";

/** The walls that no rule of oxlint's own can hold. */
const plugin: { meta: { name: string }; rules: Record<string, Rule> } = {
  meta: { name: "svc" },
  rules: {
    imports: importRule,
    sql: sqlRule,
    time: timeRule,
    "outside-data": outsideDataRule,
  },
};

export default plugin;
