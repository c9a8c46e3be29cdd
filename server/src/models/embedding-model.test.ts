import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "#platform";
import { expect, onTestFinished, test } from "vitest";
import { EmbeddingClient } from "./embedding-model.ts";
import { UsageSum } from "./model-usage.ts";

/** A provider that answers everything with this. */
async function answering(status: number, body: unknown) {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const place = { url, key: undefined, name: "small", price: { input: 1_000_000, output: 0 } };
  const model = new EmbeddingClient(place, systemClock);
  const usage = new UsageSum();
  const embed = (...texts: string[]) =>
    model.embed({ texts, timeoutMs: 5_000, charge: usage.charge });
  return { embed, usage };
}

const vector = (index: number, embedding: number[]) => ({ index, embedding });

test("vectors have the order of the texts and length 1, and cost what the provider says", async () => {
  const data = [vector(1, [0, 2]), vector(0, [3, 4])];
  const { embed, usage } = await answering(200, { data, usage: { prompt_tokens: 7 } });
  const [first, second] = await embed("one", "two");
  expect([...first!].map((one) => one.toFixed(1))).toEqual(["0.6", "0.8"]);
  expect([...second!]).toEqual([0, 1]);
  expect(usage.all).toMatchObject({ inputTokens: 7, costMicros: 7 });
});

test.each([
  ["one is missing", { data: [vector(0, [1, 0])] }],
  ["they differ in length", { data: [vector(0, [1, 0]), vector(1, [1, 0, 0])] }],
  ["it is something else", { data: "none" }],
])("an answer is refused if %s", async (_, body) => {
  const { embed, usage } = await answering(200, body);
  await expect(embed("one", "two")).rejects.toThrow("one vector for each text");
  expect(usage.all.costMicros).toBeGreaterThan(0);
});

test("an error costs nothing, and after three of them nobody waits for a while", async () => {
  const { embed, usage } = await answering(500, {});
  for (const _ of [1, 2, 3]) await expect(embed("one")).rejects.toThrow("answered 500");
  await expect(embed("one")).rejects.toThrow("was away a moment ago");
  expect(usage.all.costMicros).toBe(0);
});
