import fc from "fast-check";
import { expect, test } from "vitest";
import type { DemoAgent } from "../conversation.ts";
import { agentUnderTest } from "../plan/agent-under-test.ts";
import { DemoPlan } from "../plan/demo-plan.ts";
import { demoTools } from "./demo-tools.ts";

function toolsOf({
  agent = agentUnderTest(),
  said = ["We sell pumps."],
  metadata = {},
  found = [{ name: "a.md#A", text: "It is so." }],
  mailFollows = false,
} = {}) {
  const plan = new DemoPlan(agent, metadata, { mailFollows });
  for (const content of said) plan.heardVisitor({ id: content, content });
  const done: unknown[][] = [];
  const note =
    (what: string) =>
    (...args: unknown[]): void =>
      void done.push([what, ...args]);
  const tools = demoTools({
    agent,
    plan,
    actions: {
      showContent: note("content"),
      openEmailCard: note("email card"),
      openPersonCard: note("person card"),
      searchKnowledge: async () => found,
      endAfterSpeech: note("end"),
      event: note("event"),
    },
  });
  const run = (name: string, args: unknown = {}): Promise<string> | undefined =>
    tools.find((tool) => tool.name === name)?.run(args);
  return { plan, tools, run, done: () => done.filter(([what]) => what !== "event"), all: done };
}

const namesOf = (agent: DemoAgent): string[] => toolsOf({ agent }).tools.map(({ name }) => name);

test("offers what the agent's settings allow and what makes sense for it", () => {
  expect(namesOf(agentUnderTest())).toEqual([
    "note_answer",
    "show_content",
    "ask_email",
    "talk_to_a_person",
    "end_session",
  ]);
  expect(namesOf(agentUnderTest({ tools: [], questions: [] }))).toEqual([]);
  expect(namesOf(agentUnderTest({ content: [], tools: ["show_content"], questions: [] }))).toEqual(
    [],
  );
  const { person: _, ...config } = agentUnderTest().config;
  expect(namesOf({ config, knowledge: [] })).not.toContain("talk_to_a_person");
  const large = { ...agentUnderTest(), knowledge: [{ name: "a.md", text: "word ".repeat(5_000) }] };
  expect(namesOf(large)).toContain("search_knowledge");
});

test("says in JSON schema what it takes", () => {
  const { tools } = toolsOf();
  expect(tools.find(({ name }) => name === "note_answer")!.parameters).toEqual({
    type: "object",
    properties: { question: { type: "string" }, quote: { type: "string" } },
    required: ["question", "quote"],
    additionalProperties: false,
  });
});

test("the card for an address comes with a promise of mail only where one follows", async () => {
  const open = "The card is open. Only the visitor can confirm an address on it.";
  expect(await toolsOf({ mailFollows: true }).run("ask_email")).toBe(open);
  expect(await toolsOf().run("ask_email")).toBe(`${open} No mail will be sent: promise none.`);
});

// S7
test("shows only what is configured", async () => {
  const { run, all } = toolsOf();
  await run("show_content", { id: "../../etc/passwd" });
  await run("show_content", { id: "snippet" });
  const why = "There is no such content.";
  expect(all).toEqual([
    ["event", "tool", { name: "show_content", done: false, why }],
    ["content", "snippet"],
    ["event", "tool", { name: "show_content", done: true }],
  ]);
});

// L6, S7
test("opens the card for an address, prefilled only with one that the visitor wrote", async () => {
  const { run, plan, done } = toolsOf({ said: ["Write to ada@example.com.", "And be quick."] });
  await run("ask_email", { prefill: "victim@example.com" });
  await run("ask_email", { prefill: "Ada@example.com" });
  expect(done()).toEqual([
    ["email card", undefined],
    ["email card", "ada@example.com"],
  ]);
  expect(plan.state.email).toBe("unknown");
});

test.each([
  ["It is ada at example dot com.", "ada@example.com"],
  ["My name is Ada.", undefined],
  ["Com example, ada.", undefined],
])("takes an address as it is spoken: %s", async (said, prefill) => {
  const { run, done } = toolsOf({ said: [said] });
  await run("ask_email", { prefill: "ada@example.com" });
  expect(done()).toEqual([["email card", prefill]]);
});

test("prefills what was just spelled, though the model did not put it together", async () => {
  const { run, done } = toolsOf({ said: ["That is a d a at example dot com."] });
  await run("ask_email", { prefill: "aida@example.com" });
  await run("ask_email");
  expect(done()).toEqual([
    ["email card", "ada@example.com"],
    ["email card", "ada@example.com"],
  ]);
});

test("asks for no address that is known", async () => {
  const { run, done } = toolsOf({ metadata: { email: "ada@example.com" } });
  expect(await run("ask_email")).toBe("The address is known already.");
  expect(done()).toEqual([]);
});

test("asks again where the visitor corrects an address, with the new one", async () => {
  const { run, plan, done } = toolsOf({ said: ["Write to aida@example.com."] });
  plan.emailCard("confirmed");
  expect(await run("ask_email")).toBe("The address is known already.");
  plan.heardVisitor({ id: "b", content: "That was wrong, it is ada@example.com." });
  await run("ask_email", { prefill: "aida@example.com" });
  expect(done()).toEqual([["email card", "ada@example.com"]]);
});

test("ends only when the demo is done", async () => {
  const { run, plan, done } = toolsOf();
  await run("end_session");
  expect(done()).toEqual([]);
  plan.heardVisitor({ id: "b", content: "Bye." });
  await run("end_session");
  expect(done()).toEqual([["end"]]);
});

test("notes what was really said", async () => {
  const { run, plan } = toolsOf();
  await run("note_answer", { question: "use_case", quote: "We sell cars." });
  expect(plan.state.answered).toEqual([]);
  expect(await run("note_answer", { question: "use_case", quote: "we sell pumps" })).toBe("Noted.");
  expect(plan.state.answered).toEqual(["use_case"]);
});

test("hands over what a search finds", async () => {
  const agent = { ...agentUnderTest(), knowledge: [{ name: "a.md", text: "word ".repeat(5_000) }] };
  const search = (found?: { name: string; text: string }[]) =>
    toolsOf({ agent, ...(found && { found }) }).run("search_knowledge", { query: "so" });
  expect(await search()).toBe("## a.md#A\nIt is so.");
  expect(await search([])).toMatch(/says nothing/);
});

test("whatever a model sends, a tool answers in words", async () => {
  const { tools } = toolsOf();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools), fc.anything(), async (tool, args) => {
      expect(await tool.run(args)).toMatch(/\w/);
    }),
  );
});
