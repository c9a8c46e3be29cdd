import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

export interface ScriptedModelOptions {
  /** What it says to what the visitor said last. */
  reply(said: string): string;
  firstTokenMs?: number;
}

export interface ScriptedModel {
  baseUrl: string;
  /** Answers so much later, but for who asks by hand. */
  holdBack(ms: number): void;
  close(): Promise<void>;
}

/** The model that a chain by hand asks for. */
export const BY_HAND = "by hand";

const WORD_MS = 15;

/** A language model that says what it is told to, a word at a time, so that every answer is known beforehand. */
export async function startScriptedModel({
  reply,
  firstTokenMs = 0,
}: ScriptedModelOptions): Promise<ScriptedModel> {
  let heldBackMs = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ object: "list", data: [] }));
    }
    const { model, messages } = JSON.parse(await textOf(request)) as ChatRequest;
    const said = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const lateMs = model === BY_HAND ? 0 : heldBackMs;
    await stream(response, reply(said), firstTokenMs + lateMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    holdBack: (ms) => void (heldBackMs = ms),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface ChatRequest {
  model: string;
  messages: { role: string; content?: string }[];
}

async function stream(response: ServerResponse, answer: string, firstTokenMs: number) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  await delay(firstTokenMs);
  const startedAt = performance.now();
  for (const [index, word] of answer.split(/(?<= )/).entries()) {
    await delay(Math.max(0, startedAt + index * WORD_MS - performance.now()));
    response.write(event([{ index: 0, delta: { content: word }, finish_reason: null }]));
  }
  response.write(event([{ index: 0, delta: {}, finish_reason: "stop" }]));
  response.end("data: [DONE]\n\n");
}

function event(choices: object[]): string {
  const chunk = { id: "scripted", object: "chat.completion.chunk", created: 0, model: "scripted" };
  return `data: ${JSON.stringify({ ...chunk, choices })}\n\n`;
}
