import { expect, test } from "vitest";
import { planHistory } from "./history.ts";
import type { History } from "./history.ts";

const histories = Array.from({ length: 300 }, (_, number) => planHistory(7, number));
const sessions = histories.flatMap((history) => history.sessions);

test("a seed and a number always give the same history", () => {
  expect(planHistory(7, 12)).toEqual(histories[12]);
  expect(planHistory(8, 12)).not.toEqual(histories[12]);
  expect(planHistory(7, 13)).not.toEqual(histories[12]);
});

test("every history has a session that ends after others of later seconds began", () => {
  const lengths = histories.map((history) =>
    Math.max(...history.sessions.map(({ startMs, endMs }) => endMs - startMs)),
  );
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(2_000);
});

test("the first history starts 500 at once, and ties are common elsewhere", () => {
  const mostAtOnce = ({ sessions: planned }: History): number =>
    Math.max(
      ...[...Map.groupBy(planned, ({ startMs }) => startMs).values()].map((tie) => tie.length),
    );
  expect(mostAtOnce(histories[0]!)).toBeGreaterThanOrEqual(500);
  expect(histories.filter((history) => mostAtOnce(history) > 1).length).toBeGreaterThan(100);
});

test("all kinds of sessions occur", () => {
  const kinds = new Set(
    sessions.map((session) =>
      [session.outcome, session.test && "test", session.reevaluateMs !== undefined && "again"]
        .filter((word) => word !== false)
        .join(" "),
    ),
  );
  expect([...kinds].toSorted()).toEqual([
    "abandoned",
    "abandoned test",
    "error",
    "error again",
    "error test",
    "error test again",
    "processed",
    "processed again",
    "processed test",
    "processed test again",
  ]);
  expect(sessions.some(({ commitMs }) => commitMs !== undefined)).toBe(true);
});

test("each is read at limit 100 by since and at any limit by link", () => {
  for (const { walks } of histories) {
    expect(walks[0]).toMatchObject({ by: "since", limit: 100, joinMs: 0 });
    expect(walks[1]).toMatchObject({ by: "link", joinMs: 0 });
  }
  const limits = histories.map(({ walks }) => walks[1]!.limit);
  expect(Math.min(...limits)).toBe(1);
  expect(Math.max(...limits)).toBeGreaterThan(90);
});
