import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findModels, modelChosen, offerOf } from "./found-models.ts";

async function serving(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("a model server on this machine is offered in one line", async () => {
  const models = { data: [{ id: "nomic-embed-text" }, { id: "llama3.2:latest" }] };
  const url = await serving(200, JSON.stringify(models));
  const found = await findModels({}, { ollama: { name: "Ollama", url } });
  expect(offerOf(found)).toBe(
    `Ollama answers on port ${new URL(url).port}. To talk with it: npm run dev -- --model 'ollama/llama3.2:latest'`,
  );
});

test("what is no model server is not offered, and nobody waits for a port that is shut", async () => {
  const places = {
    page: { name: "A page", url: await serving(404, "Nothing here.") },
    json: { name: "JSON", url: await serving(401, '{"error":"no token"}') },
    empty: { name: "No models", url: await serving(200, '{"data":[]}') },
    shut: { name: "Nobody", url: "http://127.0.0.1:9/v1" },
  };
  expect(offerOf(await findModels({}, places))).toBeUndefined();
});

test("of a hosted model only the key is looked for: nothing is sent", async () => {
  let asked = 0;
  const server = createServer(() => (asked += 1));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const places = { hosted: { name: "Hosted", url, key: "HOSTED_KEY" } };
  expect(await findModels({}, places)).toEqual([]);
  expect(await findModels({ HOSTED_KEY: "secret" }, places)).toEqual([
    { choice: "hosted/<a model's name>", because: "HOSTED_KEY is set" },
  ]);
  expect(asked).toBe(0);
});

test("a chosen model has the settings that the shell would have", () => {
  expect(modelChosen("ollama/llama3.2:latest", {})).toEqual({
    SVC_MODEL_URL: "http://127.0.0.1:11434/v1",
    SVC_CONVERSATION_MODEL: "llama3.2:latest",
    SVC_EVALUATION_MODEL: "llama3.2:latest",
  });
  expect(modelChosen("vllm/org/model", {})).toMatchObject({ SVC_EVALUATION_MODEL: "org/model" });
  expect(modelChosen("openai/some", { OPENAI_API_KEY: "k" })).toMatchObject({
    SVC_MODEL_KEY: "k",
    SVC_MODEL_PRESETS: "some=openai",
  });
});

test.each(["ollama", "ollama/", "/x", "nobody/x", ""])(
  "%j is refused with the places",
  (choice) => {
    expect(() => modelChosen(choice, {})).toThrow("--model does not take");
  },
);

test("a hosted model without its key is refused with the variable's name", () => {
  expect(() => modelChosen("claude/some", {})).toThrow("There is no key for Anthropic.");
});
