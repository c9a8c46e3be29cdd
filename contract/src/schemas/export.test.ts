import { describe, expect, it } from "vitest";
import { ErrorBody, SessionList } from "./export.ts";

describe("a session list", () => {
  it("is an object with the one key items", () => {
    expect(SessionList.parse({ items: [] })).toEqual({ items: [] });
    expect(SessionList.safeParse([]).success).toBe(false);
    expect(SessionList.safeParse({ items: [], next: 2 }).success).toBe(false);
  });

  it("holds sessions with the fields that were selected", () => {
    expect(SessionList.parse({ items: [{}, { duration_secs: 3 }] }).items).toHaveLength(2);
    expect(SessionList.safeParse({ items: [{ duration_secs: null }] }).success).toBe(false);
  });

  it("holds at most 100 sessions", () => {
    const items = Array.from({ length: 100 }, () => ({}));
    expect(SessionList.safeParse({ items }).success).toBe(true);
    expect(SessionList.safeParse({ items: [...items, {}] }).success).toBe(false);
  });
});

describe("an error body", () => {
  it("says what went wrong by a code, a message and the parameter at fault", () => {
    const error = { code: "invalid_parameter", message: "Send a number.", parameter: "limit" };
    expect(ErrorBody.parse({ error })).toEqual({ error });
    expect(ErrorBody.safeParse({ error: { ...error, code: "oops" } }).success).toBe(false);
    expect(ErrorBody.safeParse({ error: { ...error, stack: "at line 1" } }).success).toBe(false);
    expect(ErrorBody.safeParse({ error: { code: "unauthorized" } }).success).toBe(false);
    expect(ErrorBody.safeParse({ error: "unauthorized" }).success).toBe(false);
  });
});
