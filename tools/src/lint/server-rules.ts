import { isServerCode, placeOf } from "./place.ts";
import type { Rule } from "./place.ts";

const sqlMessage =
  "SQL belongs only in a module's store.ts or *-store.ts: anywhere else, nobody checks it for tenancy and indexes. Move the query into the store and call it from here.";

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

/** SQL only in stores and on the platform: no query builder, no `sql` tag and no statement in a string elsewhere. */
export const sqlRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isServerCode(place) || place.isStore || place.part?.kind === "platform") return {};
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (!queryBuilders.has(callee.property.name)) return;
        context.report({ node: callee.property, message: sqlMessage });
      },
      TaggedTemplateExpression(node) {
        if (context.sourceCode.getText(node.tag).split(/[.<]/, 1)[0] !== "sql") return;
        context.report({ node: node.tag, message: sqlMessage });
      },
      Literal(node) {
        if (typeof node.value !== "string" || !statement.test(node.value)) return;
        context.report({ node, message: sqlMessage });
      },
      TemplateLiteral(node) {
        if (node.parent.type === "TaggedTemplateExpression") return;
        const text = node.quasis.map((quasi) => quasi.value.raw).join("x");
        if (statement.test(text)) context.report({ node, message: sqlMessage });
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

const timeMessage =
  "A module takes the time from the clock it is given (platform/clock.ts), so that a test can move it. Take a `Clock` as an argument and ask it.";

const readings = new Set(["Date.now", "performance.now"]);

/** Modules do not read the machine's clock. `new Date(value)` only converts, and is allowed. */
export const timeRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (place.part?.kind !== "module" || place.isTest) return {};
    const text = context.sourceCode.getText;
    return {
      MemberExpression(node) {
        if (readings.has(text(node))) context.report({ node, message: timeMessage });
      },
      NewExpression(node) {
        const isNow = text(node.callee) === "Date" && node.arguments.length === 0;
        if (isNow) context.report({ node, message: timeMessage });
      },
      CallExpression(node) {
        if (text(node.callee) === "Date") context.report({ node, message: timeMessage });
      },
    };
  },
};

const outsideDataMessage =
  "Outside data is parsed by a schema before anything trusts its shape: an assertion checks nothing. Hand it to `schema.parse` at once, or type it `unknown`.";

const requestParts = /^(request|req)\.(body|query|params|headers)$/;

/** Data that came as JSON or in a request goes into a function named `parse…` or `safeParse…`, or stays `unknown`. */
export const outsideDataRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isServerCode(place) || place.isStore) return {};
    const text = context.sourceCode.getText;
    return {
      CallExpression(node) {
        const callee = text(node.callee);
        const awaited = node.parent.type === "AwaitExpression";
        if (callee !== "JSON.parse" && !(awaited && callee.endsWith(".json"))) return;
        const holder = awaited ? node.parent.parent : node.parent;
        const lawful =
          (holder?.type === "CallExpression" &&
            /(^|\.)(safeP|p)arse\w*$/.test(text(holder.callee))) ||
          (holder?.type === "TSAsExpression" && isUnknown(holder.typeAnnotation)) ||
          (holder?.type === "VariableDeclarator" &&
            isUnknown(holder.id.typeAnnotation?.typeAnnotation));
        if (!lawful) context.report({ node, message: outsideDataMessage });
      },
      TSAsExpression(node) {
        if (!requestParts.test(text(node.expression)) || isUnknown(node.typeAnnotation)) return;
        context.report({ node, message: outsideDataMessage });
      },
    };
  },
};

function isUnknown(type: { type: string } | null | undefined): boolean {
  return type?.type === "TSUnknownKeyword";
}
