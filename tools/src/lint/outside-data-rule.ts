import { isServerCode, placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";

const message =
  "Outside data is parsed by a schema before anything trusts its shape: an assertion checks nothing. Hand it to `schema.parse` at once, or type it `unknown`.";

const requestParts = /^(request|req)\.(body|query|params|headers)$/;

/** What came as JSON or in a request goes into a function named `parse…` or `safeParse…`, or stays `unknown`. */
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
        if (!lawful) context.report({ node, message });
      },
      TSAsExpression(node) {
        if (!requestParts.test(text(node.expression)) || isUnknown(node.typeAnnotation)) return;
        context.report({ node, message });
      },
    };
  },
};

function isUnknown(type: { type: string } | null | undefined): boolean {
  return type?.type === "TSUnknownKeyword";
}
