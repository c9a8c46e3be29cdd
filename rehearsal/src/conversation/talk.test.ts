import { expect, test } from "vitest";
import { readChatRequest } from "../language-model/chat-request.ts";
import { readTalk } from "./talk.ts";
import { INSTRUCTIONS, requestFor, talkOf } from "./talk-under-test.ts";

test("who the agent is, what it knows and what the turn is for are read from the prompt", () => {
  const talk = talkOf(["Hi"], {
    language: "de-AT",
    goal: { kind: "ask", key: "start", text: "When?" },
    asked: ["riders"],
    email: "open",
  });
  expect(talk).toMatchObject({
    agent: { name: "Rosa", brand: "Velomax" },
    content: [{ id: "range", title: "The range table" }],
    questions: [{ key: "riders" }, { key: "start" }],
    knowledge: [{ name: "bikes.md#Price" }, { name: "bikes.md#Battery" }],
    isSearched: false,
    language: "de",
    goal: { kind: "ask", key: "start", text: "When?" },
    asked: ["riders"],
    email: "open",
    visitorSaid: "Hi",
  });
});

test("a heading inside the agent's own texts starts no section", () => {
  const instructions = INSTRUCTIONS.replace("Friendly.", '# Prices\n{"name":"x","brand":"y"}');
  expect(talkOf(["Hi"], { instructions }).agent.name).toBe("Rosa");
});

test("knowledge that is searched is known once it was found", () => {
  const instructions = INSTRUCTIONS.replace(
    /# Knowledge\n[^]*/,
    "# Knowledge\nUse search_knowledge.",
  );
  expect(talkOf(["Hi"], { instructions })).toMatchObject({ isSearched: true, knowledge: [] });
  const found = { role: "tool", tool_call_id: "1", content: "## a.md#B\nIt is blue." };
  const talk = talkOf(["Which colour?", calling("search_knowledge"), found], { instructions });
  expect(talk.knowledge).toEqual([{ name: "a.md#B", text: "It is blue.\n" }]);
  expect(talk).toMatchObject({
    visitorSaid: "Which colour?",
    thisTurn: { text: "", tools: ["search_knowledge"] },
  });
});

test("a visitor who only acted on a card said nothing, and what opened it is over", () => {
  const opened = { role: "tool", tool_call_id: "1", content: "The card is open." };
  const talk = talkOf(["Hello", calling("ask_email", "Your address?"), opened], {
    visitor: "none",
    email: "confirmed",
  });
  expect(talk.visitorSaid).toBeUndefined();
  expect(talk.thisTurn).toEqual({ text: "", tools: [] });
});

test("a request with neither goal nor instructions is no talk", () => {
  const messages = [{ role: "user", content: "Wie ist das denn mit der Zeit?" }];
  expect(readTalk(readChatRequest(JSON.stringify({ model: "any", messages })))).toBeUndefined();
});

test("tools that are not to be called are not offered", () => {
  const request = { ...requestFor(["Hi"]), tool_choice: "none" };
  expect(readTalk(readChatRequest(JSON.stringify(request)))?.tools).toEqual([]);
});

function calling(name: string, content: string | null = null): object {
  const call = { id: "1", type: "function", function: { name, arguments: "{}" } };
  return { role: "assistant", content, tool_calls: [call] };
}
