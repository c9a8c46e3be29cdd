import type { DeliveryRow, Story } from "@svc/contract/types";
import { expect, it } from "vitest";
import { arrivalOf } from "./arrival.ts";

const STORY = {
  test: false,
  status: "processed",
  email: "dana@example.com",
  export: { mode: "settled_prefix", state: "exported" },
} as Story;
const SENT = {
  state: "exhausted",
  url: "https://crm.example.com/in",
  endpoint_id: "hook_a",
  attempts: 3,
  followed: false,
} as DeliveryRow;
const LIVE = [{ id: "hook_a", state: "live" as const }];
const told = (
  story: Partial<Story>,
  delivery?: Partial<DeliveryRow>,
  receivers: typeof LIVE | [] = LIVE,
) => arrivalOf({ ...STORY, ...story }, delivery ? [{ ...SENT, ...delivery }] : [], receivers);

it.each([
  ["the receiver fails", told({}, { last_status: 500 }), "answered 500, 3 times", "bad"],
  ["it is down", told({}, { last_outcome: "connection_refused" }), "could not be reached", "bad"],
  ["its secret is wrong", told({}, { last_status: 401 }), "does not know the secret", "bad"],
  [
    "it is not finished",
    told({ status: "active", waiting: { waits_for: "evaluation", overdue: false } }),
    "waits for its evaluation",
    "warn",
  ],
  [
    "its evaluation failed",
    told({ status: "error", error_reason: "model_away" }),
    "could not be evaluated: model_away",
    "bad",
  ],
  ["there is no receiver", told({}), "No receiver was registered", "warn"],
  ["nothing was said", told({ status: "abandoned" }), "said nothing", "quiet"],
  ["it was a test", told({ test: true }), "test session", "quiet"],
  [
    "the receiver was removed first",
    told({}, { state: "cancelled" }, []),
    "was cancelled",
    "quiet",
  ],
  [
    "it went to an old receiver",
    told({}, { state: "delivered" }, []),
    "not registered any more",
    "warn",
  ],
  [
    "its secret cannot be opened",
    told({}, { state: "waiting", held_because: "No key k1." }),
    "held back: No key k1.",
    "bad",
  ],
])("says when %s", (_, arrival, words, tone) => {
  expect([arrival.says, arrival.tone]).toEqual([expect.stringContaining(words), tone]);
  expect(arrival.fix).not.toBe("");
});

it("tells a paused receiver, a lead without address and a held export from one that arrived", () => {
  const paused = [{ id: "hook_a", state: "paused" as const }];
  expect(arrivalOf(STORY, [{ ...SENT, state: "waiting" }], paused).says).toContain("is paused");
  const { email: _, ...nameless } = STORY;
  const arrived = [{ ...SENT, state: "delivered" as const }];
  expect(arrivalOf(nameless, arrived, LIVE).fix).toContain("no address");
  const held = { ...STORY, export: { mode: "settled_prefix", state: "held" } } as Story;
  expect(arrivalOf(held, arrived, LIVE).fix).toContain("an older session holds it");
  expect(arrivalOf(STORY, arrived, LIVE)).toMatchObject({ tone: "good", fix: "" });
  // What a later event replaced does not count.
  expect(arrivalOf(STORY, [{ ...SENT, followed: true }, ...arrived], LIVE).tone).toBe("good");
});
