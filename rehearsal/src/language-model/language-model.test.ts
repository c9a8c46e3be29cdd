import { mkdtemp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestFor } from "../conversation/talk-under-test.ts";
import { startLanguageModel } from "./language-model.ts";
import {
  complete,
  evaluationRequest,
  modelUnderTest,
  post,
  said,
  showContent,
  stream,
} from "./model-under-test.ts";

const SCRIPTS = join(import.meta.dirname, "../../scripts");

const OPENING = "You check single sentences of a demo agent before a visitor hears them.";

const GUIDE = `# Agent
{"name":"Linden","brand":"Svc"}
# Content
{"id":"snippet","title":"The snippet","kind":"code"}
# Knowledge
## a.md
One snippet goes on each page that may start a demo.
`;

test("a client finds a model to ask for", async () => {
  const model = await modelUnderTest();
  const response = await fetch(`${model.baseUrl}/models`);
  expect(await response.json()).toMatchObject({ object: "list", data: [{ id: "rehearsal" }] });
});

test("the same request gets the same bytes, another one another id", async () => {
  const model = await modelUnderTest();
  const [first, second, other] = await Promise.all(
    ["Hello", "Hello", "Good day"].map(async (text) => (await post(model, said(text))).text()),
  );
  expect(first).toBe(second);
  const idOf = (text = "") => /chatcmpl-\w+/.exec(text)?.[0];
  expect(idOf(first)).not.toBe(idOf(other));
});

test("a streamed answer is the whole one in pieces, with its usage at the end", async () => {
  const model = await modelUnderTest();
  const whole = await complete(model, said("Hello"));
  const chunks = await stream(model, { ...said("Hello"), stream_options: { include_usage: true } });
  const pieces = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ""));
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.join("")).toBe(whole.choices[0].message.content);
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
});

test("without include_usage a stream says nothing about usage", async () => {
  const model = await modelUnderTest();
  const chunks = await stream(model, said("Hello"));
  expect(chunks.every((chunk) => !("usage" in chunk))).toBe(true);
});

test("a token is counted for every four characters", async () => {
  const model = await modelUnderTest();
  const { usage, choices } = await complete(model, said("12345678"));
  const completion = Math.ceil(choices[0].message.content!.length / 4);
  expect(usage).toEqual({
    prompt_tokens: 2,
    completion_tokens: completion,
    total_tokens: completion + 2,
  });
});

test("max_tokens cuts the answer and says so", async () => {
  const model = await modelUnderTest();
  const { choices } = await complete(model, { ...said("Hello"), max_completion_tokens: 3 });
  expect(choices[0].message.content).toHaveLength(12);
  expect(choices[0].finish_reason).toBe("length");
});

test("a tool call is streamed in pieces", async () => {
  const model = await modelUnderTest({ faults: [{ kind: "tool_loop" }] });
  const chunks = await stream(model, { ...said("Hello"), tools: [showContent] });
  const deltas = chunks.flatMap((chunk) =>
    chunk.choices.flatMap(({ delta }) => delta.tool_calls ?? []),
  );
  expect(deltas[0]).toMatchObject({ index: 0, function: { name: "show_content" } });
  expect(deltas[0]?.id).toMatch(/^call_/);
  expect(deltas.map((delta) => delta.function?.arguments).join("")).toBe('{"id":""}');
});

test("a script answers, with its direction in the words", async () => {
  const model = await modelUnderTest({ scriptsFolder: SCRIPTS });
  const body = requestFor(["How do I install it?"], { instructions: GUIDE });
  const [{ message, finish_reason }] = (await complete(model, body)).choices;
  expect(message.content).toMatch(/snippet.*⟦show snippet⟧ \S/);
  expect(finish_reason).toBe("stop");
  expect(model.requests().recent[0]?.by).toBe("topics/adding-it-to-a-page.yaml");
});

test("a verifier gets one word, and is counted apart", async () => {
  const model = await modelUnderTest();
  const system = `${OPENING}\nRules.\n\n# Knowledge\nThe City model costs 2,990 euros.`;
  const ask = async (sentence: string) => {
    const user = JSON.stringify({ visitor: "And the City?", sentence });
    const messages = [
      { role: "system", content: system },
      { role: "user", content: user },
    ];
    return (await complete(model, { model: "any", messages })).choices[0].message.content;
  };
  expect(await ask("It costs 2,990 euros.")).toBe("ok");
  expect(await ask("It costs 1,990 euros.")).toBe("invented");
  expect(model.requests().kinds).toEqual({ verifier: 2 });
});

test("an evaluation comes from the script for its conversation, else from the rules", async () => {
  const model = await startScripted({
    evaluations: `
      about: a test
      when: { user_turns: [Nobody said this.] }
      answer: { language: xx, conversation_summary: a, summary: b, prospect_summary: c }`,
  });
  const scripted = {
    record_language: "en",
    transcript: [{ turn: 1, role: "user", heard: "Nobody  said this." }],
  };
  for (const document of [scripted, undefined]) {
    const { choices } = await complete(model, evaluationRequest(document));
    const answer: unknown = JSON.parse(choices[0].message.content!);
    expect(answer).toMatchObject({ language: document ? "xx" : "en" });
  }
  expect(model.requests().recent.map((one) => one.by)).toEqual(["one.yaml", "rules"]);
});

test("a repaired evaluation finds the document in the first message", async () => {
  const model = await modelUnderTest();
  const request = evaluationRequest() as { messages: object[] };
  const repair = {
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", content: "no" },
      { role: "user", content: "That is no JSON." },
    ],
  };
  const { choices } = await complete(model, repair);
  expect(JSON.parse(choices[0].message.content!)).toMatchObject({ language: "en" });
});

test("another JSON schema gets the smallest value that fits it", async () => {
  const model = await modelUnderTest();
  const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
  const format = { type: "json_schema", json_schema: { name: "else", schema } };
  const { choices } = await complete(model, { ...said("Hello"), response_format: format });
  expect(choices[0].message.content).toBe('{"a":0}');
});

test("any key is taken, until one is set", async () => {
  const open = await modelUnderTest();
  expect((await post(open, said("Hello"))).status).toBe(200);
  const locked = await modelUnderTest({ apiKey: "right" });
  const statusWith = async (authorization: string) =>
    (await post(locked, said("Hello"), { headers: { authorization } })).status;
  expect(await statusWith("Bearer right")).toBe(200);
  expect(await statusWith("Bearer wrong")).toBe(401);
});

test("a delay holds back every answer", async () => {
  const model = await modelUnderTest({ delayMs: 60 });
  const startedAt = performance.now();
  await complete(model, said("Hello"));
  expect(performance.now() - startedAt).toBeGreaterThan(50);
});

test("requests are counted and the last ones remembered", async () => {
  const model = await modelUnderTest();
  await complete(model, said("Hello"));
  await complete(model, evaluationRequest());
  await post(model, {});
  const response = await fetch(`${model.url}/rehearsal/requests`);
  expect(await response.json()).toMatchObject({
    total: 3,
    kinds: { conversation: 1, evaluation: 1, invalid: 1 },
    faults: {},
    recent: [{ model: "any", status: 200 }, { by: "rules" }, { kind: "invalid", status: 400 }],
  });
});

test("the page says what it is and which switches are on", async () => {
  const model = await modelUnderTest({ faults: [{ kind: "prose", model: "<b>" }] });
  expect(await (await fetch(model.url)).text()).toContain("<h1>A language model</h1>");
  await complete(model, said("Hello"));
  const view = await fetch(`${model.url}/rehearsal/view`);
  expect(await view.json()).toMatchObject({
    baseUrl: model.baseUrl,
    faults: [{ kind: "prose", model: "<b>", hits: 0 }],
    requests: [{ number: 1, kind: "conversation" }],
  });
});

test("the scripts of this package can be read", async () => {
  const model = await startLanguageModel();
  await model.close();
});

async function startScripted(scripts: Record<string, string>) {
  const scriptsFolder = await mkdtemp(join(tmpdir(), "scripts-"));
  for (const [folder, text] of Object.entries(scripts)) {
    await mkdir(join(scriptsFolder, folder));
    await writeFile(join(scriptsFolder, folder, "one.yaml"), text);
  }
  return modelUnderTest({ scriptsFolder });
}
