import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

export interface ScriptedModel {
  baseUrl: string;
  /** Replaces what it answers to what the visitor said last. */
  answers(reply: (said: string) => string, firstTokenMs?: number): void;
  /** Answers so much later, but not to requests for the model `BY_HAND`. */
  holdBack(ms: number): void;
  close(): Promise<void>;
}

/** The model that a chain by hand asks for. */
export const BY_HAND = "by hand";

const WORD_MS = 15;

/** A language model that says what it is told to, a word at a time, so that every answer is known beforehand. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  let reply: (said: string) => string = () => "Yes.";
  let firstTokenMs = 0;
  let heldBackMs = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ object: "list", data: [] }));
    }
    const { model, messages } = JSON.parse(await textOf(request)) as {
      model: string;
      messages: { role: string; content?: string }[];
    };
    const said = messages.findLast(({ role }) => role === "user")?.content ?? "";
    await delay(firstTokenMs + (model === BY_HAND ? 0 : heldBackMs));
    await stream(response, reply(said));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    answers(another, ms = 0) {
      reply = another;
      firstTokenMs = ms;
      heldBackMs = 0;
    },
    holdBack: (ms) => void (heldBackMs = ms),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function stream(response: ServerResponse, answer: string): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const startedAt = performance.now();
  for (const [index, word] of answer.split(/(?<= )/).entries()) {
    await delay(Math.max(0, startedAt + index * WORD_MS - performance.now()));
    response.write(event({ delta: { content: word }, finish_reason: null }));
  }
  response.write(event({ delta: {}, finish_reason: "stop" }));
  response.end("data: [DONE]\n\n");
}

function event(choice: object): string {
  const chunk = { id: "scripted", object: "chat.completion.chunk", created: 0, model: "scripted" };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}
