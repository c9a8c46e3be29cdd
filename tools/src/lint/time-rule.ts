import { placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";

const message =
  "A room takes the time from the clock it is given (platform/clock.ts), so that a test can move it. Take a `Clock` as an argument and ask it.";

const readings = new Set(["Date.now", "performance.now"]);

/** No reading of the machine's clock in rooms. `new Date(value)` only converts and is free. */
export const timeRule: Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (place.part?.kind !== "room" || place.isTest) return {};
    const text = context.sourceCode.getText;
    return {
      MemberExpression(node) {
        if (readings.has(text(node))) context.report({ node, message });
      },
      NewExpression(node) {
        const isNow = text(node.callee) === "Date" && node.arguments.length === 0;
        if (isNow) context.report({ node, message });
      },
      CallExpression(node) {
        if (text(node.callee) === "Date") context.report({ node, message });
      },
    };
  },
};
