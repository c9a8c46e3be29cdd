import { expect, test } from "vitest";
import { modelUnderTest, post, said, showContent } from "./model-under-test.ts";

const { messages } = said("Hello");
const ask = { model: "any", messages };
const call = { id: "a", type: "function", function: { name: "show_content", arguments: "{}" } };
const withFormat = (schema: object) => ({
  ...ask,
  response_format: { type: "json_schema", json_schema: { name: "x", strict: true, schema } },
});

const wrong: [what: string, body: unknown, param: string | null, code: string | null][] = [
  ["no model", { messages }, "model", "missing_required_parameter"],
  ["no messages", { model: "any" }, "messages", "missing_required_parameter"],
  ["an empty conversation", { ...ask, messages: [] }, "messages", "empty_array"],
  ["a list", [], null, "invalid_type"],
  [
    "a role that does not exist",
    { ...ask, messages: [{ role: "robot", content: "" }] },
    "messages[0].role",
    "invalid_value",
  ],
  [
    "content that is a number",
    { ...ask, messages: [{ role: "user", content: 1 }] },
    "messages[0].content",
    "invalid_type",
  ],
  ["a misspelt parameter", { ...ask, temprature: 1 }, "temprature", "unknown_parameter"],
  ["too high a temperature", { ...ask, temperature: 3 }, "temperature", "invalid_value"],
  ["stream_options alone", { ...ask, stream_options: {} }, "stream_options", "invalid_value"],
  ["tool_choice without tools", { ...ask, tool_choice: "auto" }, "tool_choice", null],
  [
    "a tool's name with a space",
    { ...ask, tools: [{ type: "function", function: { name: "a b" } }] },
    "tools[0].function.name",
    "invalid_value",
  ],
  [
    "a tool's message without a call",
    { ...ask, messages: [...messages, { role: "tool", tool_call_id: "a", content: "" }] },
    "messages[1].role",
    null,
  ],
  [
    "a call that no tool's message answers",
    { ...ask, messages: [...messages, { role: "assistant", tool_calls: [call] }, ...messages] },
    "messages[2]",
    null,
  ],
  [
    "a JSON schema without a name",
    { ...ask, response_format: { type: "json_schema", json_schema: { schema: {} } } },
    "response_format.json_schema.name",
    "missing_required_parameter",
  ],
  [
    "a strict schema with an optional key",
    withFormat({ type: "object", properties: { a: {} }, additionalProperties: false }),
    "response_format",
    "invalid_schema",
  ],
];

test.each(wrong)("%s is refused with 400", async (_, body, param, code) => {
  const model = await modelUnderTest();
  const response = await post(model, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: { message: expect.any(String), type: "invalid_request_error", param, code },
  });
});

test("a body that is no JSON is refused with 400", async () => {
  const model = await modelUnderTest();
  const response = await post(model, undefined, { body: "{" });
  expect(response.status).toBe(400);
});

test("what is not there is 404", async () => {
  const model = await modelUnderTest();
  expect((await fetch(`${model.baseUrl}/embeddings`)).status).toBe(404);
  expect((await fetch(`${model.baseUrl}/chat/completions`)).status).toBe(404);
  expect((await fetch(`${model.url}/constructor`)).status).toBe(404);
});

test("what real clients send beside it is taken", async () => {
  const model = await modelUnderTest();
  const answered = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "a", content: "{}" },
  ];
  const response = await post(model, {
    ...ask,
    messages: answered,
    tools: [showContent],
    parallel_tool_calls: false,
    seed: 1,
    user: "u",
    stop: null,
    max_tokens: null,
  });
  expect(response.status).toBe(200);
});
