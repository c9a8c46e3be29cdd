import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../language-model/answer.ts";
import { sendError } from "../language-model/api-error.ts";
import { readChatRequest } from "../language-model/chat-request.ts";
import type { ChatRequest } from "../language-model/chat-request.ts";
import { writeCompletion } from "../language-model/completion.ts";
import { deliver } from "../language-model/deliver.ts";
import { openPort } from "../port.ts";
import { createHttpServer } from "../stand-in.ts";
import { cut, directedReply, secondTry, writeSpeech } from "./directed-reply.ts";
import type { Manner } from "./directed-reply.ts";
import { escaped, readAsked, stateFaults } from "./read-asked.ts";
import type { State } from "./read-asked.ts";
import { bare, isPart } from "./talk.ts";
import type { Sentence, Talk } from "./talk.ts";
import { drawVerdict, honestVerdict } from "./verify-sentence.ts";
import type { Verifying } from "./verify-sentence.ts";

export interface ReplaySettings {
  manner: Manner;
  verifying: Verifying;
  seed: number;
}

/** What was asked of the model in one turn. */
export interface TurnLog {
  requests: number;
  vetoes: { sentence: string; reason: string }[];
  /** What was said in other words at a second try. */
  again: Sentence[];
  /** As the first request of the turn told it. */
  state?: State;
  /** The first request, to be asked once more by a bare client. */
  body?: Buffer;
  /** What the product did that it must not. */
  faults: string[];
}

/** A talk under way. Whoever plays it says which turn comes. */
export interface Playing {
  talk: Talk;
  turn: number;
  turns: TurnLog[];
  code?: string;
}

export interface ReplayModel {
  baseUrl: string;
  /** Forgets every talk and starts over. */
  reset(settings: ReplaySettings): void;
  enter(talk: Talk): Playing;
  /** Of the verifier: how many answers, and those that were wrong or late. */
  readonly verified: { answers: number; wrong: number; late: number };
  /** Faults of requests that belong to no talk. */
  readonly strays: string[];
  close(): Promise<void>;
}

const PACE = { firstTokenMs: 20, tokensPerSec: 500 };
const LATE_MS = 5_000;
const VERIFIER_LINE = "You check single sentences of a demo agent before a visitor hears them.";

/** What is read of a verifier's question. */
type Question = Record<"visitor" | "date" | "sentence", string>;

/** A language model whose replies are those of recorded talks, and a verifier that knows their labels. */
export async function startReplayModel(settings: ReplaySettings): Promise<ReplayModel> {
  let { manner, verifying, seed } = settings;
  let playing: Playing[] = [];
  let verified = { answers: 0, wrong: 0, late: 0 };
  let strays: string[] = [];
  const asks = new Map<string, number>();
  const server = createHttpServer((request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end(MODELS);
      return;
    }
    buffer(request)
      .then((body) => complete(body, response))
      .catch((error: unknown) => {
        strays.push(String(error));
        sendError(response, error);
      });
  });
  const port = await openPort(server);

  async function complete(body: Buffer, response: ServerResponse): Promise<void> {
    const request = readChatRequest(body);
    const requestId = hash("sha256", body, "hex");
    const send = (answer: Answer): Promise<void> =>
      deliver(response, writeCompletion(request, answer, requestId), {
        requestId,
        fault: undefined,
        pace: request.stream ? PACE : undefined,
      });
    if (request.format !== undefined)
      return send(said(JSON.stringify(least(request.format.schema))));
    if (request.messages[0]?.text.startsWith(VERIFIER_LINE))
      return send(said(await verify(request)));
    if (!request.stream) return send(said("ok"));
    return send(talk(request, body));
  }

  function find(visitorSaid: string): Playing | undefined {
    const words = bare(visitorSaid);
    return playing.find((one) => {
      const soFar = one.talk.turns.slice(0, one.turn + 1);
      return words === bare(escaped(soFar.map(({ visitor }) => visitor ?? "").join("")));
    });
  }

  function talk(request: ChatRequest, body: Buffer): Answer {
    const asked = readAsked(request);
    const one = find(asked.visitorSaid);
    if (one === undefined)
      throw new Error(`words of no talk's visitor: ${asked.visitorSaid.slice(-200)}`);
    const { talk: its, turn } = one;
    const log = one.turns[turn]!;
    one.code ??= asked.code;
    log.faults.push(...asked.faults, ...stateFaults(its, turn, asked));
    if (one.code !== asked.code) log.faults.push(`code ${asked.code}, before ${one.code}`);
    const reply = its.turns[turn]?.reply;
    const isAnswered = request.messages.at(-1)?.role === "tool";
    const canSearch = request.tools.some(({ name }) => name === "search_knowledge");
    if (reply?.searches !== undefined && canSearch && !isAnswered) {
      const call = { name: "search_knowledge", arguments: { query: reply.searches } };
      return { text: "", toolCalls: [call], finish: "tool_calls", by: its.id };
    }
    log.requests += 1;
    log.body ??= body;
    log.state ??= asked.state;
    const first = directedReply(its, turn);
    if (asked.veto === undefined) return said(writeSpeech(first));
    log.vetoes.push(asked.veto);
    const rest = secondTry(first, asked.veto.sentence, manner);
    if (rest === undefined) log.faults.push(`held is no sentence of mine: ${asked.veto.sentence}`);
    log.again.push(...(rest?.lines ?? []).flatMap((line) => (line.isAgain ? [line.sentence] : [])));
    return said(rest === undefined ? "" : writeSpeech(rest));
  }

  async function verify({ messages }: ChatRequest): Promise<string> {
    const { sentence, visitor, date } = JSON.parse(messages[1]?.text ?? "") as Question;
    const saying = playing.filter(({ talk: { turns, today }, turn }) => {
      const all = turns[turn]?.reply?.sentences ?? [];
      const isSaid = all.some((one) =>
        [one.say, one.again?.say ?? ""].some((text) => isPart(text, sentence)),
      );
      return isSaid && today === date;
    });
    const its = saying.find((one) => bare(lastWords(one)) === bare(visitor)) ?? saying[0];
    const known = its?.talk.turns[its.turn]?.reply?.sentences ?? [];
    const honest = verifying.isBlind === true ? "ok" : honestVerdict(sentence, known);
    const asking = `${its?.talk.id} ${its?.turn} ${sentence}`;
    const nth = (asks.get(asking) ?? 0) + 1;
    asks.set(asking, nth);
    const { word, isLate, isWrong } = drawVerdict(honest, verifying, `${seed} ${nth} ${asking}`);
    verified.answers += 1;
    verified.late += Number(isLate);
    verified.wrong += Number(isWrong);
    if (isLate) await delay(LATE_MS);
    return word;
  }

  return {
    baseUrl: `http://127.0.0.1:${port.number}/v1`,
    reset(next) {
      ({ manner, verifying, seed } = next);
      playing = [];
      verified = { answers: 0, wrong: 0, late: 0 };
      strays = [];
      asks.clear();
    },
    enter(its) {
      const turns = its.turns.map(() => ({ requests: 0, vetoes: [], again: [], faults: [] }));
      const one: Playing = { talk: its, turn: -1, turns };
      playing.push(one);
      return one;
    },
    get verified() {
      return verified;
    },
    get strays() {
      return strays;
    },
    close: () => port.close(),
  };
}

function lastWords({ talk, turn }: Playing): string {
  return (
    talk.turns.slice(0, turn + 1).findLast(({ visitor }) => visitor !== undefined)?.visitor ?? ""
  );
}

const MODELS = JSON.stringify({ object: "list", data: [{ id: "replay", object: "model" }] });

function said(text: string): Answer {
  return { text, pieces: cut(text), toolCalls: [], finish: "stop", by: "replay" };
}

/** The least that a judge can answer: no claim at all. */
function least(schema: unknown, name = ""): unknown {
  const node = schema as { type?: unknown; anyOf?: unknown; enum?: unknown[]; properties?: object };
  if (node.anyOf !== undefined || Array.isArray(node.type)) return null;
  if (node.enum !== undefined) return node.enum.at(-1);
  if (node.type === "object")
    return Object.fromEntries(
      Object.entries(node.properties ?? {}).map(([key, inner]) => [key, least(inner, key)]),
    );
  if (node.type === "array") return [];
  if (node.type === "string") return name === "language" ? "en" : "-";
  return node.type === "boolean" ? false : 0;
}
