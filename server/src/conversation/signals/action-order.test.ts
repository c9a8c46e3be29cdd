import type { ActionParam } from "#agents";
import cases from "@svc/contract/fixtures/action-params.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { checkParams, readOrder } from "./action-order.ts";

test.each([
  ["open-report", "open-report", {}],
  ['open-report {"period": "month"}', "open-report", { period: "month" }],
  ['Open-Report: {"a": 1}', "open-report", { a: 1 }],
])("%s is an order", (value, name, params) => {
  expect(readOrder(value)).toEqual({ name, params });
});

test.each(["", "open-report month", "open-report [1]", "open-report {", 'a {"b": 1} c', "{}"])(
  "%s is none",
  (value) => {
    expect(readOrder(value)).toBeUndefined();
  },
);

describe("parameters", () => {
  const declared = Object.entries(cases.params).map(
    ([key, param]) => ({ key, ...param }) as ActionParam,
  );

  test.each(cases.good)("%j fit", (given) => {
    expect(checkParams(declared, given)).toEqual(given);
  });

  test.each([...cases.bad, { period: "month", note: "x".repeat(201) }])("%j do not", (given) => {
    expect(checkParams(declared, given)).toBeUndefined();
  });
});
