import { expect, test } from "vitest";
import { agentUnderTest } from "./agent-under-test.ts";
import { DemoState } from "./demo-state.ts";

function stateOf(options: Partial<ConstructorParameters<typeof DemoState>[1]> = {}) {
  const told: [string, object][] = [];
  const tell = (kind: string, detail: object): void => void told.push([kind, detail]);
  const state = new DemoState(agentUnderTest(), { metadata: {}, language: "en", tell, ...options });
  return { state, told };
}

test("an answer is noted with the visitor's own words, and with no others", () => {
  const { state, told } = stateOf();
  state.heardVisitor("We have around 40 people, and want to explain our pumps.");
  expect(state.noteAnswer("use_case", "explain our pumps")).toBe(true);
  expect(state.noteAnswer("monthly_visitors", "around 50 people")).toBe(false);
  expect(state.noteAnswer("nothing", "our pumps")).toBe(false);
  expect(state.told).toMatchObject({
    open: ["monthly_visitors", "timeline"],
    answered: { use_case: "explain our pumps" },
  });
  expect(told).toEqual([["question_answered", { key: "use_case", by: "quote" }]]);
});

test("a question is asked when it was heard, and stays so until it is answered", () => {
  const { state, told } = stateOf();
  expect(state.questionHeard("timeline", "t1")).toBe(true);
  expect(state.questionHeard("timeline", "t2")).toBe(true);
  expect(state.questionHeard("nothing", "t2")).toBe(false);
  expect(state.told).toMatchObject({ open: ["use_case", "monthly_visitors"], asked: ["timeline"] });
  state.heardVisitor("In May.");
  state.noteAnswer("timeline", "in may");
  expect(state.told).toMatchObject({ asked: [], answered: { timeline: "in may" } });
  expect(told[0]).toEqual(["question_heard", { key: "timeline", turn: "t1" }]);
});

test("a page that knows an answer has given it, with its value", () => {
  const metadata = { monthlyVisitors: "40000", timeline: "null", use_case: " " };
  expect(stateOf({ metadata }).state.told).toMatchObject({
    open: ["use_case", "timeline"],
    answered: { monthly_visitors: "40000" },
  });
});

test("an address is one that the visitor said last and has not confirmed", () => {
  const { state } = stateOf();
  state.heardVisitor("Write to eda@example.com, no, ada@example.com.");
  expect(state.addressSaid).toBe("ada@example.com");
  expect(state.wasAddressSaid("ada@example.com")).toBe(true);
  expect(state.wasAddressSaid("eve@example.com")).toBe(false);
  state.emailCard("confirmed", { address: "ada@example.com" });
  expect(state.addressSaid).toBeUndefined();
  state.heardVisitor("So you write to ada@example.com?");
  expect(state.addressSaid).toBeUndefined();
  expect(state.told.email).toBe("confirmed");
  state.emailCard("declined");
  expect(state.told.email).toBe("confirmed");
});

test.each([
  "ada at example dot com",
  "A. D. A. at example, dot com",
  "ada arobase example point com",
  "アダ、ada アット example ドット com です",
])("an address is theirs however they said it: %s", (said) => {
  const { state } = stateOf();
  state.heardVisitor(said);
  expect(state.addressSaid).toBeUndefined();
  expect(state.wasAddressSaid("ada@example.com")).toBe(true);
  expect(state.wasAddressSaid("com@example.ada")).toBe(false);
});

test("an earlier part of the conversation is known from its log", () => {
  const past = [
    { kind: "content_shown", detail: { id: "snippet" } },
    { kind: "question_heard", detail: { key: "timeline", turn: "1" } },
    { kind: "question_answered", detail: { key: "use_case", by: "quote" } },
    { kind: "email_card", detail: { state: "declined" } },
    { kind: "direction", detail: { name: "language", value: "it", done: true } },
    { kind: "direction", detail: { name: "language", value: "fr", done: false, why: "…" } },
    { kind: "something", detail: {} },
  ];
  expect(stateOf({ past, mailFollows: true }).state.told).toEqual({
    language: "it",
    open: ["monthly_visitors"],
    asked: ["timeline"],
    answered: { use_case: "(earlier in this conversation)" },
    shown: ["snippet"],
    email: "declined",
    mail: "follows",
  });
});

test("a place that the visitor did not see is told apart, also after a takeover, until it is shown", () => {
  const { state } = stateOf();
  state.contentShown("plans");
  state.settlePlace("plans", "shown");
  state.settlePlace("plans", "gone");
  expect(state.told).toMatchObject({ shown: ["plans"] });
  expect(state.told).not.toHaveProperty("not_shown");
  state.settlePlace("plans", "missing");
  expect(state.told).toMatchObject({ shown: [], not_shown: { plans: "missing" } });
  const past = [
    { kind: "content_shown", detail: { id: "plans" } },
    { kind: "place", detail: { id: "plans", state: "declined" } },
  ];
  const later = stateOf({ past }).state;
  expect(later.told).toMatchObject({ shown: [], not_shown: { plans: "declined" } });
  later.contentShown("plans");
  expect(later.told).toMatchObject({ shown: ["plans"] });
});

test("a tour is told with the step at which it stands, whoever went there", () => {
  const past = [
    { kind: "content_shown", detail: { id: "tour/1" } },
    { kind: "content_shown", detail: { id: "tour/4", by: "visitor" } },
  ];
  const { state } = stateOf({ past });
  expect(state.told.shown).toEqual(["tour/4"]);
  state.contentShown("snippet");
  state.visitorShowed("tour/2");
  expect(state.told.shown).toEqual(["tour/2", "snippet"]);
  expect(state.wasShown("tour")).toBe(true);
});
