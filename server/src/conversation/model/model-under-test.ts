import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { parseJson } from "#platform";
import type { ModelUsage, ToolCall } from "#models";
import type { ReplyRequest } from "../conversation.ts";

/** Sent one after the other: an object as a chunk, text as it stands, a number is a pause in milliseconds. */
export type Scripted = object | string | number;

export interface ModelUnderTest {
  url: string;
  /** The bodies of the requests, as they came. */
  requests: unknown[];
  /** Requests whose connection was closed before their answer was complete. */
  givenUp: number;
}

/** A provider that sends exactly what it is told to, to every request or to each by its number. */
export async function modelUnderTest(
  script: Scripted[] | ((request: number) => Scripted[]),
): Promise<ModelUnderTest> {
  const seen: ModelUnderTest = { url: "", requests: [], givenUp: 0 };
  const server = createServer(async (request, response) => {
    const pieces: string[] = [];
    for await (const piece of request.setEncoding("utf8")) pieces.push(String(piece));
    seen.requests.push(parseJson(pieces.join("")));
    response.once("close", () => void (seen.givenUp += response.writableFinished ? 0 : 1));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const parts = typeof script === "function" ? script(seen.requests.length - 1) : script;
    for (const part of parts) {
      if (typeof part === "number") await delay(part);
      else response.write(typeof part === "string" ? part : `data: ${JSON.stringify(part)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return seen;
}

export const text = (content: string): object => ({ choices: [{ delta: { content } }] });

export const finish = (finish_reason = "stop"): object => ({
  choices: [{ delta: {}, finish_reason }],
});

/** What came of a request. */
export interface Received {
  request: ReplyRequest;
  sentences: string[];
  calls: ToolCall[];
  usage: { model: string; usage: ModelUsage }[];
  troubles: string[];
}

export function receiver(more: Partial<ReplyRequest> = {}): Received {
  const received: Omit<Received, "request"> = { sentences: [], calls: [], usage: [], troubles: [] };
  const request: ReplyRequest = {
    messages: [{ role: "user", content: "What is Svc?" }],
    tools: [],
    toolChoice: "auto",
    language: "en",
    signal: new AbortController().signal,
    onSentence: ({ text: said }) => received.sentences.push(said),
    onToolCall: (call) => received.calls.push(call),
    charge: (model) => (usage) => received.usage.push({ model, usage }),
    onTrouble: (model, error) => received.troubles.push(`${model}: ${String(error)}`),
    ...more,
  };
  return { request, ...received };
}
