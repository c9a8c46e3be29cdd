import { describe, expect, it } from "vitest";
import { withClaim } from "./check-under-test.ts";

// L6
describe("the customer's name", () => {
  const name = (claim: object): string | undefined =>
    withClaim({ customer_name: claim }).evaluation.customer_name;

  it("comes from a turn of theirs", () => {
    expect(name({ turn: 9, quote: "I'm Ada, by the way", value: "ada" })).toBe("ada");
    expect(name({ turn: 9, quote: "I'm Ada, by the way", value: "Ada Lovelace" })).toBeUndefined();
    expect(name({ turn: 10, quote: "Is it Ada Okafor?", value: "Ada Okafor" })).toBeUndefined();
    expect(name({ turn: 9, quote: "I'm Ada", value: "Ada" })).toBeUndefined();
  });

  it("may be what they agreed to", () => {
    expect(name({ turn: 11, quote: "Yes, indeed", value: "Ada Okafor" })).toBe("Ada Okafor");
    expect(name({ turn: 11, quote: "Yes, indeed", value: "Ada Brown" })).toBeUndefined();
  });

  it("is never the agent's own", () => {
    expect(name({ turn: 2, quote: "Twenty-five", value: "Ivo" })).toBeUndefined();
  });

  it("may come from the metadata", () => {
    const quote = "Ada.Okafor@example.com";
    expect(name({ turn: 0, quote, value: "Ada Okafor" })).toBe("Ada Okafor");
    expect(name({ turn: 0, quote, value: "Ada Brown" })).toBeUndefined();
    expect(name({ turn: 0, quote: "Ada Brown", value: "Ada" })).toBeUndefined();
  });
});
