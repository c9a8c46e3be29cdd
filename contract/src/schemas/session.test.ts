import { describe, expect, it } from "vitest";
import { SelectedSession, Session, TranscriptEntry } from "./session.ts";

const minimal = {
  id: "019cadd4-569d-7a90-8c44-90d2f7a1be02",
  agent_id: "agent_a1k7m2q4x5zr3w6t7b2c4d",
  status: "processed",
  created_at: "2026-03-02T09:15:00.125Z",
};
const required = Object.keys(minimal);
const optional = "metadata transcript summary evaluation email email_verified duration_secs".split(
  " ",
);

function accepts(change: object): boolean {
  return Session.safeParse({ ...minimal, ...change }).success;
}

/** Those of the values that a session may have under the key. */
function acceptedOf(key: string, values: unknown[]): unknown[] {
  return values.filter((value) => accepts({ [key]: value }));
}

describe("a session", () => {
  it("needs nothing but id, agent, status and start", () => {
    expect(Session.parse(minimal)).toEqual(minimal);
    expect(required.filter((key) => accepts({ [key]: undefined }))).toEqual([]);
  });

  it("is named by a UUID", () => {
    expect(acceptedOf("id", ["17", "019cadd4569d7a908c4490d2f7a1be02", 17])).toEqual([]);
  });

  it("names the agent that ran it", () => {
    expect(acceptedOf("agent_id", ["agent_a1k7", "", 17])).toEqual(["agent_a1k7"]);
  });

  it("has one of four statuses", () => {
    const statuses = ["active", "abandoned", "processed", "error"];
    expect(acceptedOf("status", [...statuses, "ended", "Processed", ""])).toEqual(statuses);
  });

  it("starts at an RFC 3339 time, with or without a fraction of a second", () => {
    const right = [
      "2026-03-02T09:15:00Z",
      "2026-03-02T09:15:00.125Z",
      "2026-03-02T10:15:00.123456+01:00",
    ];
    const wrong = [
      "2026-03-02",
      "2026-03-02 09:15:00Z",
      "2026-03-02T09:15:00",
      "2026-02-30T09:15:00Z",
      1772442900,
    ];
    expect(acceptedOf("created_at", [...right, ...wrong])).toEqual(right);
  });

  it("never contains null, at any depth", () => {
    expect([...required, ...optional].filter((key) => accepts({ [key]: null }))).toEqual([]);
    expect(accepts({ metadata: { plan: null } })).toBe(false);
    expect(accepts({ transcript: [{ role: "user", content: null }] })).toBe(false);
    expect(accepts({ evaluation: { qualification: null } })).toBe(false);
    expect(accepts({ evaluation: { questions: { size: null } } })).toBe(false);
    expect(accepts({ evaluation: { objections: [null] } })).toBe(false);
  });

  it("has a key only when it has a value", () => {
    const nothing = [undefined, "", [], {}];
    expect(optional.flatMap((key) => acceptedOf(key, nothing))).toEqual([]);
  });

  it("keeps false and zero, which are values", () => {
    expect(accepts({ email_verified: false, duration_secs: 0 })).toBe(true);
  });

  it("refuses a key that nobody documented", () => {
    expect(accepts({ end_reason: "silence" })).toBe(false);
    const withProto = `{"__proto__":1,${JSON.stringify(minimal).slice(1)}`;
    expect(Session.safeParse(JSON.parse(withProto)).success).toBe(false);
  });

  it("lasts a whole number of seconds", () => {
    expect(acceptedOf("duration_secs", [184, 1.5, -1, "184", Number.NaN])).toEqual([184]);
  });

  it("says by a boolean whether the address's domain takes mail", () => {
    expect(acceptedOf("email_verified", [true, false, "true", 1])).toEqual([true, false]);
  });

  it("carries metadata whose values are strings", () => {
    expect(accepts({ metadata: { plan: "trial", note: "", seats: "25" } })).toBe(true);
    const values = [25, true, ["a"], { a: "b" }];
    expect(values.filter((seats) => accepts({ metadata: { seats } }))).toEqual([]);
  });

  it("carries texts as summary and email", () => {
    expect(acceptedOf("summary", ["Ada asked for the price.", 1, ["a"]])).toHaveLength(1);
    expect(acceptedOf("email", ["ada@example.com", 1, ["a"]])).toHaveLength(1);
  });
});

describe("a selected session", () => {
  it("holds any of the session's fields, or none", () => {
    expect(SelectedSession.parse({})).toEqual({});
    expect(SelectedSession.parse({ email_verified: false })).toEqual({ email_verified: false });
    expect(SelectedSession.safeParse({ id: undefined }).success).toBe(false);
    expect(SelectedSession.safeParse({ colour: "red" }).success).toBe(false);
  });
});

describe("a transcript entry", () => {
  const entry = { role: "assistant", content: "Let me show" };

  function acceptsEntry(change: object): boolean {
    return TranscriptEntry.safeParse({ ...entry, ...change }).success;
  }

  it("is the user's or the assistant's", () => {
    const roles = ["user", "assistant", "system", "tool", "developer", ""];
    expect(roles.filter((role) => acceptsEntry({ role }))).toEqual(["user", "assistant"]);
  });

  it("has text", () => {
    const contents = ["Hello", "", undefined, 1];
    expect(contents.filter((content) => acceptsEntry({ content }))).toEqual(["Hello"]);
  });

  it("is marked as interrupted with true, or not at all", () => {
    expect(acceptsEntry({})).toBe(true);
    expect(acceptsEntry({ interrupted: true })).toBe(true);
    expect(acceptsEntry({ interrupted: false })).toBe(false);
  });

  it("has no room for prompts, tools or popup actions", () => {
    expect(acceptsEntry({ tool_calls: [] })).toBe(false);
    expect(acceptsEntry({ action: "submitted" })).toBe(false);
  });
});
