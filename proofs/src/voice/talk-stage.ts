import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { startSpeech } from "@svc/rehearsal";
import type { RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { VoiceVisitor, createLiveWorld, speechAt } from "@svc/server/testing";
import type {
  LiveWorld,
  ServerProcess,
  TestDatabase,
  VoiceVisitorOptions,
} from "@svc/server/testing";
import type { AgentMode } from "@svc/contract/types";
import type { Random } from "@svc/tools/random";
import { openStage } from "../stage/stage.ts";
import type { Stage } from "../stage/stage.ts";

type OnEnd = (clean: () => unknown) => void;

/** A database, an agent in four languages, and a model whose every answer is known beforehand. */
export interface TalkStage {
  stage: Stage;
  database: TestDatabase;
  world: LiveWorld;
  model: ScriptedModel;
  /** Starts a process of the service with a stand-in for speech of its own. Both end with the claim. */
  serve(
    onEnd: OnEnd,
    speech: SpeechOptions,
    settings?: Record<string, string>,
  ): Promise<TalkServer>;
}

export interface TalkServer {
  server: ServerProcess;
  speech: RehearsalSpeech;
  agentId: string;
  /** Starts a session by voice, without a browser. Its visitor has heard the greeting. */
  enter(language?: string): Promise<VoiceVisitor>;
  /** The same, at its first moment. */
  join(
    options?: VoiceVisitorOptions & { language?: string; mode?: AgentMode },
  ): Promise<VoiceVisitor>;
}

export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export async function openTalkStage(
  onStageEnd: OnEnd,
  {
    greeting = "Hello, this is an AI guide.",
    ...options
  }: NonNullable<Parameters<typeof openStage>[0]> & { greeting?: string } = {},
): Promise<TalkStage> {
  const stage = await openStage(options);
  onStageEnd(() => stage.close());
  const { database } = stage;
  const model = await startScriptedModel();
  onStageEnd(() => model.close());
  const world = await createLiveWorld(database, {
    modes: ["voice", "text"],
    languages: LANGUAGES.map((code) => ({ code, greeting })),
  });
  return {
    stage,
    database,
    world,
    model,
    async serve(onEnd, speechOptions, settings = {}) {
      const speech = await startSpeech(speechOptions);
      onEnd(() => speech.close());
      const server = await stage.startServer({
        SVC_ROLE: "live",
        SVC_MODEL_URL: model.baseUrl,
        SVC_EVALUATION_MODEL: "scripted",
        SVC_SHUTDOWN_SECS: "1",
        ...speechAt(speech.url),
        ...settings,
      });
      onEnd(() => server.stop());
      const url = socketOf({ server });
      const join: TalkServer["join"] = async (asked = {}) => {
        const { language = "en", mode = "voice", ...visitorOptions } = asked;
        const visit = await world.visit(mode);
        await database.pool.query("UPDATE sessions SET language = $2 WHERE id = $1", [
          visit.id,
          language,
        ]);
        const visitor = await VoiceVisitor.join(url, visit, visitorOptions);
        onEnd(() => visitor.close());
        if (visitor.welcome.mode !== mode) throw new Error("the session is in text");
        return visitor;
      };
      return {
        server,
        speech,
        agentId: world.customer.agent.agentId,
        join,
        async enter(language = "en") {
          const visitor = await join({ language });
          await visitor.browser.first("caption", ({ final }) => final);
          return visitor;
        },
      };
    },
  };
}

/** Where the visitors' sockets of a process are. */
export function socketOf({ server }: Pick<TalkServer, "server">): string {
  return `${server.url.replace("http", "ws")}/sdk/v1/live`;
}

/** As the SDK does: at once, and then with more and more time between two tries. */
const RETRY_MS = { first: 250, longest: 4_000 };

/**
 * Has a visitor who lost their socket come back, over as many tries as the SDK would make.
 *
 * @param place where the next one leads to
 * @returns false when nobody took them
 */
export async function comeBack(
  visitor: VoiceVisitor,
  place: () => string,
  { random, withinMs }: { random: Random; withinMs: number },
): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let tries = 0; performance.now() < until; tries += 1) {
    const retryMs = Math.min(RETRY_MS.first * 2 ** tries, RETRY_MS.longest);
    if (tries > 0) await delay(retryMs * (0.5 + random.next()));
    const isBack = await visitor.comeBack(place()).then(
      () => true,
      () => false,
    );
    if (isBack) return true;
  }
  return false;
}

/** What is stored as said by the agent, in order. */
export async function agentTurns(
  { pool }: TestDatabase,
  sessionId: string,
): Promise<{ content: string; interrupted: boolean }[]> {
  const { rows } = await pool.query<{ content: string; interrupted: boolean }>(
    "SELECT content, interrupted FROM turns WHERE session_id = $1 AND role = 'assistant' ORDER BY seq",
    [sessionId],
  );
  return rows;
}

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
/** What a small model takes for one word: about as long as a voice for its first sound. */
const VERIFIES_MS = 140;

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
    const {
      model,
      messages,
      stream: isTalk,
    } = JSON.parse(await textOf(request)) as {
      model: string;
      messages: { role: string; content?: string }[];
      stream?: boolean;
    };
    if (isTalk !== true) {
      await delay(firstTokenMs > 0 ? VERIFIES_MS : 0);
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ choices: [{ index: 0, message: { content: "ok" } }] }));
    }
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
