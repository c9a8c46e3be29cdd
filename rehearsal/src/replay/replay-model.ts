import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../language-model/answer.ts";
import { sendError } from "../language-model/api-error.ts";
import { readChatRequest } from "../language-model/chat-request.ts";
import type { ChatRequest } from "../language-model/chat-request.ts";
import { writeCompletion } from "../language-model/completion.ts";
import { deliver } from "../language-model/deliver.ts";
import { openPort } from "../port.ts";
import type { Port } from "../port.ts";
import { createHttpServer } from "../stand-in.ts";
import { cut, directedReply, secondTry, writeSpeech } from "./directed-reply.ts";
import type { Manner } from "./directed-reply.ts";
import { escaped, readAsked, stateFaults } from "./read-asked.ts";
import type { State } from "./read-asked.ts";
import { findDocument } from "../evaluation/document.ts";
import { byCriteria } from "../evaluation/by-criteria.ts";
import { readClaims } from "../evaluation/check-claims.ts";
import type { AskedClaims } from "../evaluation/check-claims.ts";
import { isLabelledTrue, judgeOf } from "./recorded-judge.ts";
import type { RecordedJudge } from "./recorded-judge.ts";
import { bare, isPart } from "./talk.ts";
import type { Sentence, Talk } from "./talk.ts";
import { drawVerdict, honestVerdict } from "./verify-sentence.ts";
import type { Verifying } from "./verify-sentence.ts";

export interface ReplaySettings {
  manner: Manner;
  verifying: Verifying;
  seed: number;
}

/** A talk under way. Whoever plays it says which turn comes. */
export interface Playing {
  talk: Talk;
  turn: number;
  turns: TurnLog[];
  code?: string;
}

/** What was asked of the model in one turn. */
interface TurnLog {
  requests: number;
  vetoes: number;
  /** What was said in other words at a second try. */
  again: Sentence[];
  /** What the product did that it must not. */
  faults: string[];
  /** The first request, and what it told. */
  body?: Buffer;
  state?: State;
}

const PACE = { firstTokenMs: 20, tokensPerSec: 500 };
const LATE_MS = 5_000;
const VERIFIER_LINE = "You check single sentences of a demo agent before a visitor hears them.";

/** A language model whose replies are those of recorded talks, and a verifier that knows their labels. */
export class ReplayModel {
  readonly baseUrl: string;
  /** Of the verifier since the last reset. */
  verified: { answers: number; wrong: number; late: number } = { answers: 0, wrong: 0, late: 0 };
  /** Faults of requests that belong to no talk. */
  strays: string[] = [];
  /** Who judges: of several for one talk the last. */
  judges: RecordedJudge[] = [];
  readonly #port: Port;
  #settings: ReplaySettings;
  #playing: Playing[] = [];
  readonly #timesAsked = new Map<string, number>();

  private constructor(port: Port, settings: ReplaySettings) {
    this.baseUrl = `http://127.0.0.1:${port.number}/v1`;
    this.#port = port;
    this.#settings = settings;
  }

  static async start(settings: ReplaySettings): Promise<ReplayModel> {
    const server = createHttpServer();
    const model = new ReplayModel(await openPort(server), settings);
    server.on("request", (request, response) => {
      model.#answer(request, response).catch((error: unknown) => {
        model.strays.push(String(error));
        sendError(response, error);
      });
    });
    return model;
  }

  /** Forgets every talk and starts over. */
  reset(settings: ReplaySettings): void {
    this.#settings = settings;
    this.#playing = [];
    this.#timesAsked.clear();
    this.verified = { answers: 0, wrong: 0, late: 0 };
    this.strays = [];
  }

  enter(talk: Talk): Playing {
    const turns = talk.turns.map(() => ({ requests: 0, vetoes: 0, again: [], faults: [] }));
    const playing: Playing = { talk, turn: -1, turns };
    this.#playing.push(playing);
    return playing;
  }

  close(): Promise<void> {
    return this.#port.close();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === "GET") {
      const models = { object: "list", data: [{ id: "replay", object: "model" }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(models));
      return;
    }
    const body = await buffer(incoming);
    const request = readChatRequest(body);
    const requestId = hash("sha256", body, "hex");
    const answer = await this.#think(request, body);
    const pace = request.stream ? PACE : undefined;
    const completion = writeCompletion(request, answer, requestId);
    await deliver(response, completion, { requestId, fault: undefined, pace });
  }

  async #think(request: ChatRequest, body: Buffer): Promise<Answer> {
    if (request.format !== undefined) return said(this.#judge(request));
    if (request.messages[0]?.text.startsWith(VERIFIER_LINE))
      return said(await this.#verify(request));
    // Whoever only looks whether the model answers.
    return request.stream ? this.#talk(request, body) : said("ok");
  }

  /** Whoever judges a talk that was not recorded claims nothing. */
  #judge({ messages, format }: ChatRequest): string {
    const claims = readClaims(messages);
    if (claims !== undefined) return JSON.stringify(this.#verifyClaims(claims));
    const document = findDocument(messages[1]?.text ?? "");
    const judge = document && judgeOf(this.judges, document);
    return JSON.stringify(
      judge ? byCriteria(judge.answer, document?.criteria) : least(format?.schema),
    );
  }

  /** One by one as the corpus labels them, with the errors of a verifier. */
  #verifyClaims({ claims, transcript }: AskedClaims): Record<string, string> {
    const judge = judgeOf(this.judges, { transcript });
    const words = claims.map((claim) => {
      const occasion = `${judge?.talk.id} ${judge?.kind} ${claim.field}`;
      const nth = (this.#timesAsked.get(occasion) ?? 0) + 1;
      this.#timesAsked.set(occasion, nth);
      const { verifying, seed } = this.#settings;
      const { isWrong } = drawVerdict("ok", verifying, `${seed} ${nth} ${occasion}`);
      const isTrue =
        verifying.isBlind === true || judge === undefined || isLabelledTrue(claim, judge);
      this.verified.answers += 1;
      this.verified.wrong += Number(isWrong);
      return [claim.n, isTrue === isWrong ? "no" : "yes"];
    });
    return Object.fromEntries(words) as Record<string, string>;
  }

  #talk(request: ChatRequest, body: Buffer): Answer {
    const asked = readAsked(request);
    const words = bare(asked.visitorSaid);
    const playing = this.#playing.find((one) => words === bare(visitorSaid(one).join("")));
    if (playing === undefined) throw new Error(`words of no talk's visitor: ${words.slice(-200)}`);
    const { talk, turn } = playing;
    const log = playing.turns[turn]!;
    playing.code ??= asked.code;
    log.faults.push(...asked.faults, ...stateFaults(talk, turn, asked));
    if (playing.code !== asked.code) log.faults.push(`code ${asked.code}, not ${playing.code}`);
    const query = talk.turns[turn]?.reply?.searches;
    const canSearch = request.tools.some(({ name }) => name === "search_knowledge");
    if (query !== undefined && canSearch && request.messages.at(-1)?.role !== "tool") {
      const call = { name: "search_knowledge", arguments: { query } };
      return { text: "", toolCalls: [call], finish: "tool_calls", by: talk.id };
    }
    // A talk has no summary; it is asked for once, behind the last turn.
    if (asked.isRecap) return said("");
    log.requests += 1;
    log.body ??= body;
    log.state ??= asked.state;
    const first = directedReply(talk, turn);
    if (asked.veto === undefined) return said(writeSpeech(first));
    log.vetoes += 1;
    const rest = secondTry(first, asked.veto.sentence, this.#settings.manner);
    if (rest === undefined) log.faults.push(`held is no sentence of mine: ${asked.veto.sentence}`);
    for (const { sentence, isAgain } of rest?.lines ?? [])
      if (isAgain === true) log.again.push(sentence);
    return said(rest === undefined ? "" : writeSpeech(rest));
  }

  async #verify({ messages }: ChatRequest): Promise<string> {
    const { sentence, visitor, date } = JSON.parse(messages[1]?.text ?? "") as Record<
      "sentence" | "visitor" | "date",
      string
    >;
    const saying = this.#playing.filter(
      (one) =>
        one.talk.today === date &&
        sentencesOf(one).some(({ say, again = { say } }) =>
          [say, again.say].some((text) => isPart(text, sentence)),
        ),
    );
    const playing =
      saying.find((one) => bare(visitorSaid(one).at(-1) ?? "") === bare(visitor)) ?? saying[0];
    const { verifying, seed } = this.#settings;
    const honest = playing === undefined ? "ok" : honestVerdict(sentence, sentencesOf(playing));
    const occasion = `${playing?.talk.id} ${playing?.turn} ${sentence}`;
    const nth = (this.#timesAsked.get(occasion) ?? 0) + 1;
    this.#timesAsked.set(occasion, nth);
    const drawn = drawVerdict(honest, verifying, `${seed} ${nth} ${occasion}`);
    this.verified.answers += 1;
    this.verified.wrong += Number(drawn.isWrong);
    this.verified.late += Number(drawn.isLate);
    if (drawn.isLate) await delay(LATE_MS);
    return drawn.word;
  }
}

/** What the visitor has said up to this turn, as the model reads it. */
function visitorSaid({ talk, turn }: Playing): string[] {
  return talk.turns
    .slice(0, turn + 1)
    .flatMap(({ visitor }) => (visitor === undefined ? [] : [escaped(visitor)]));
}

function sentencesOf({ talk, turn }: Playing): Sentence[] {
  return talk.turns[turn]?.reply?.sentences ?? [];
}

function said(text: string): Answer {
  return { text, pieces: cut(text), toolCalls: [], finish: "stop", by: "replay" };
}

/** The least that a judge can answer: no claim at all. */
function least(schema: unknown, name = ""): unknown {
  const node = schema as { type?: unknown; anyOf?: unknown; enum?: unknown[]; properties?: object };
  if (node.anyOf !== undefined || Array.isArray(node.type)) return null;
  if (node.enum !== undefined) return node.enum.at(-1);
  if (node.type === "array") return [];
  if (node.type === "boolean") return false;
  if (node.type === "string") return name === "language" ? "en" : "-";
  if (node.type !== "object") return 0;
  const entries = Object.entries(node.properties ?? {});
  return Object.fromEntries(entries.map(([key, inner]) => [key, least(inner, key)]));
}
