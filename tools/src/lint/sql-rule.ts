import { isServerCode, placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";

const message =
  "SQL stands only in a room's store.ts or *-store.ts: spread out, nobody can check it for tenancy and indexes. Move the query into the store and call it from here.";

const queryBuilders = new Set([
  "selectFrom",
  "insertInto",
  "updateTable",
  "deleteFrom",
  "mergeInto",
  "replaceInto",
]);

/** Keywords all small or all large, so that a sentence such as "Select one from the list" is none. */
const statement = either(
  String.raw`select\s[^]*\sfrom\s`,
  String.raw`select\s+(\d|\S+\()`,
  String.raw`insert\s+into\s`,
  String.raw`update\s+\S+\s+set\s`,
  String.raw`delete\s+from\s`,
  String.raw`with\s+(recursive\s+)?\w+\s+as\s+(not\s+materialized\s+|materialized\s+)?\(`,
  String.raw`copy\s*\(`,
  String.raw`copy\s+\S+\s+(from|to)\s`,
  String.raw`(create|alter|drop)\s+(table|index|view|role|policy|function|type|schema|database)\s`,
  String.raw`(truncate|lock)\s+table\s`,
  String.raw`set\s+(local|role)\s`,
);

/** SQL only where it belongs: no query builder, no `sql` tag and no statement in a string elsewhere. */
export const sqlRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isServerCode(place) || place.isStore || place.part?.kind === "floor") return {};
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (!queryBuilders.has(callee.property.name)) return;
        context.report({ node: callee.property, message });
      },
      TaggedTemplateExpression(node) {
        if (context.sourceCode.getText(node.tag).split(/[.<]/, 1)[0] !== "sql") return;
        context.report({ node: node.tag, message });
      },
      Literal(node) {
        if (typeof node.value !== "string" || !statement.test(node.value)) return;
        context.report({ node, message });
      },
      TemplateLiteral(node) {
        if (node.parent.type === "TaggedTemplateExpression") return;
        const text = node.quasis.map((quasi) => quasi.value.raw).join("x");
        if (statement.test(text)) context.report({ node, message });
      },
    };
  },
};

function either(...small: string[]): RegExp {
  // The escapes (`\s`, `\w`) must stay small when the keywords are made large.
  const large = small.map((one) =>
    one.replaceAll(/\\.|[a-z]/g, (c) => (c.length > 1 ? c : c.toUpperCase())),
  );
  return new RegExp(String.raw`^\s*(${[...small, ...large].join("|")})`);
}
