import fc from "fast-check";
import { expect, it } from "vitest";
import { closingLine, parseClosingLine } from "./closing-line.ts";

it("reads back what it wrote, brackets in the figure included", () => {
  const text = fc
    .string({ unit: fc.constantFrom("a", "≥", "(", ")", ":", " ", "\n", "0"), minLength: 1 })
    .filter((one) => one.trim() !== "");
  const bound = text.filter((one) => /[^()\s]/.test(one));
  fc.assert(
    fc.property(text, bound, fc.boolean(), (figure, limit, ok) => {
      const line = closingLine({ name: "a-proof", figure, bound: limit, ok });
      expect(line).not.toContain("\n");
      const closing = parseClosingLine(line);
      expect(closing).toMatchObject({ name: "a-proof", ok });
      expect(closing?.figure).toBe(figure.replaceAll(/\s+/g, " ").trim());
    }),
  );
});

it.each(["", "ok", "a-proof: 3 ok", "a-proof: 3 (≥ 3) fine", "a-proof: 3 (≥ 3) ok and more"])(
  "takes %j for no closing line",
  (line) => {
    expect(parseClosingLine(line)).toBeUndefined();
  },
);
