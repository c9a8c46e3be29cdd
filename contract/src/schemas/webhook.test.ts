import { expect, it } from "vitest";
import { SessionEvaluatedEvent } from "./webhook.ts";

const event = {
  event_type: "session.evaluated",
  timestamp: "2026-03-02T09:19:02.417Z",
  data: {
    id: "019cadd4-569c-7d3a-9f52-3c1b6a0e4d01",
    agent_id: "agent_a1k7m2q4x5zr3w6t7b2c4d",
    status: "processed",
    created_at: "2026-03-02T09:15:00.124Z",
  },
};

function accepts(change: object): boolean {
  return SessionEvaluatedEvent.safeParse({ ...event, ...change }).success;
}

it("carries the event type, a timestamp and the session, and nothing else", () => {
  expect(SessionEvaluatedEvent.parse(event)).toEqual(event);
  expect(Object.keys(event).filter((key) => accepts({ [key]: undefined }))).toEqual([]);
  expect(accepts({ attempt: 1 })).toBe(false);
});

it("is always session.evaluated", () => {
  expect(accepts({ event_type: "session.started" })).toBe(false);
});

it("is stamped with an RFC 3339 time that has a fraction of a second", () => {
  expect(accepts({ timestamp: "2026-03-02T09:19:02.417000Z" })).toBe(true);
  expect(accepts({ timestamp: "2026-03-02T09:19:02Z" })).toBe(false);
});

it("carries a whole session, not a selection of its fields", () => {
  const { created_at: _, ...selected } = event.data;
  expect(accepts({ data: selected })).toBe(false);
});
