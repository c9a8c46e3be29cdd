import type { DeliveryRow, Story } from "@svc/contract/types";
import { expect, it } from "vitest";
import { arrivalOf } from "./arrival.ts";
import type { Around } from "./arrival.ts";

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
const LIVE: Around = { receivers: [{ id: "hook_a", state: "live" }], modelAway: 0 };
const NONE = { receivers: [] };
const told = (
  story: Partial<Story>,
  delivery?: Partial<DeliveryRow>,
  around: Partial<Around> = {},
) =>
  arrivalOf({ ...STORY, ...story }, delivery ? [{ ...SENT, ...delivery }] : [], {
    ...LIVE,
    ...around,
  });

it.each([
  ["the receiver fails", told({}, { last_status: 500 }), "answered 500, 3 times", "bad"],
  ["it is down", told({}, { last_outcome: "connect_failed" }), "nothing listens", "bad"],
  ["it fails in a new way", told({}, { last_outcome: "odd_thing" }), "(odd thing)", "bad"],
  ["it leads elsewhere", told({}, { last_status: 308 }), "nothing is sent on", "bad"],
  ["its address is wrong", told({}, { last_status: 404 }), "nothing takes events", "bad"],
  ["we went down", told({}, { state: "orphaned", crashes: 5 }), "Our own server", "bad"],
  [
    "it failed once",
    told({}, { state: "waiting", attempts: 1, last_outcome: "timed_out" }),
    "within 10 seconds, once",
    "warn",
  ],
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
    "could not be evaluated: no model could be reached",
    "bad",
  ],
  [
    "no model answers",
    told({ status: "active", waiting: { waits_for: "evaluation", overdue: false } }, undefined, {
      modelAway: 1,
    }),
    "waits for its evaluation",
    "bad",
  ],
  ["it came before its receiver", told({}), "No receiver was registered", "warn"],
  ["there is no receiver", told({}, undefined, NONE), "No receiver is registered", "warn"],
  [
    "its receiver is another agent's",
    told({ agent: { id: "agent_a", slug: "a", version: 1 } }, undefined, {
      receivers: [{ id: "hook_a", state: "live", agents: [{ id: "agent_b", slug: "b" }] }],
    }),
    "is for this agent",
    "warn",
  ],
  ["it was imported", told({ end_reason: "imported" }), "was imported", "quiet"],
  ["nothing was said", told({ status: "abandoned" }), "said nothing", "quiet"],
  ["it was a test", told({ test: true }), "test session", "quiet"],
  [
    "the receiver was removed first",
    told({}, { state: "cancelled" }, NONE),
    "was removed before",
    "quiet",
  ],
  [
    "it went to an old receiver",
    told({}, { state: "delivered" }, NONE),
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
  const paused: Around = { ...LIVE, receivers: [{ id: "hook_a", state: "paused" }] };
  expect(arrivalOf(STORY, [{ ...SENT, state: "waiting" }], paused).says).toContain("is paused");
  const { email: _, ...nameless } = STORY;
  const arrived = [{ ...SENT, state: "delivered" as const }];
  expect(arrivalOf(nameless, arrived, LIVE).fix).toContain("no address");
  const held = { ...STORY, export: { mode: "settled_prefix", state: "held" } } as Story;
  expect(arrivalOf(held, arrived, LIVE).fix).toContain("an older session holds it");
  expect(arrivalOf(STORY, arrived, LIVE).tone).toBe("good");
  // What a later event replaced does not count.
  expect(arrivalOf(STORY, [{ ...SENT, followed: true }, ...arrived], LIVE).tone).toBe("good");
});
