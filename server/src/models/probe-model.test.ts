import { createServer } from "node:http";
import type { RequestListener, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { probeModel } from "./probe-model.ts";
import type { ModelProbe } from "./probe-model.ts";

const KEY = "canary";

/** What is known of `small` at a provider that answers like this. */
async function probe(answer: (response: ServerResponse) => void): Promise<ModelProbe> {
  const asked: string[] = [];
  const { url, close } = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(response);
  });
  onTestFinished(close);
  const found = await probeAt(url);
  expect(asked).toEqual(["GET /v1/models"]);
  return found;
}

async function listen(
  listener: RequestListener,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function probeAt(baseURL: string, apiKey = KEY): Promise<ModelProbe> {
  return probeModel(new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: "off" }), "small");
}

function json(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const listing = (...ids: string[]): object => ({ data: ids.map((id) => ({ id })) });

describe("a probe of a model", () => {
  it.each([
    [listing("large", "small"), true],
    [listing("models/small"), true],
    [listing("small:latest"), true],
    [listing("large", "smaller"), false],
    // Nothing that could tell.
    [listing(), true],
    [{ ...listing("large"), has_more: true }, true],
    [{ models: ["large"] }, true],
    ["no list", true],
    [null, true],
  ])("says of %j whether it is listed: %s", async (body, isListed) => {
    expect(await probe(json(200, body))).toEqual({ name: "small", trouble: undefined, isListed });
  });

  it.each([
    [401, { error: { code: "invalid_api_key", message: KEY } }, "answered 401 (invalid_api_key)"],
    [404, { error: { message: "?" } }, "answered 404"],
    [400, {}, "answered 400"],
    [503, {}, "answered 503"],
  ])("says why it is not answered: %s", async (status, body, trouble) => {
    expect(await probe(json(status, body))).toMatchObject({ trouble });
  });

  it("names the network's own reason", async () => {
    const { url, close } = await listen(() => {});
    await close();
    expect((await probeAt(url)).trouble).toBe("not to be reached (ECONNREFUSED)");
  });

  // S12
  it("never repeats a key, which some failures do", async () => {
    for (const key of [`${KEY}\n${KEY}`, `${KEY}\u2026`])
      expect((await probeAt("http://127.0.0.1:1/v1", key)).trouble).toBe("not to be reached");
    const { trouble } = await probeAt(`http://ada:${KEY}@127.0.0.1:1/v1`);
    expect(trouble).toBe("not to be reached");
  });
});
