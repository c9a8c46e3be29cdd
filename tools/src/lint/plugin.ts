import { importRule } from "./import-rule.ts";
import type { Rule } from "./place.ts";
import { outsideDataRule, sqlRule, timeRule } from "./server-rules.ts";

/** The lint rules for boundaries that no built-in rule of oxlint can express. */
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
