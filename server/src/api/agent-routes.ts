import { contentEncoding, MemoryBudget } from "#platform";
import { finished } from "node:stream";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { agentFacts, findShownFile, findStartableAgent, readShownFile } from "#agents";
import type { StoredFile } from "#agents";
import type { Clock, ContentEncoding, Db } from "#platform";
import { visitorAddress } from "#sessions";
import type { Visits } from "#sessions";
import { EligibilityQuestion } from "@svc/contract/schemas";
import type { Eligibility } from "@svc/contract/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendError, sendRefusal } from "./http-error.ts";
import { readJson } from "./read-json.ts";
import { byteRange, pageOrigin } from "./request-headers.ts";

export interface AgentRoutes {
  db: Db;
  visits: Visits;
  clock: Clock;
  /** The base URL under which browsers load files. */
  publicUrl: string;
}

type AgentRequest = { Params: { agent: string } };

/** A preview token and its key. */
const MAX_QUESTION_BYTES = 1_024;

/** Adds the routes by which a page reads about an agent before a call: `/sdk/v1/agents/{agent}` and below. */
export function addAgentRoutes(app: FastifyInstance, options: AgentRoutes): void {
  const { db, visits, clock, publicUrl } = options;
  const files = new OpenFiles(db);
  const compressed = new Map<string, Buffer>();

  app.get<{ Params: { agent: string } }>("/sdk/v1/agents/:agent", async ({ params }, reply) => {
    const agent = await findStartableAgent(db, params.agent);
    if (agent === undefined) return sendRefusal(reply, "agent_unknown", clock.nowMs());
    const modes = await visits.modes(agent);
    const facts = agentFacts(agent, modes, publicUrl);
    return sendCompressed(reply.header("cache-control", FACTS_CACHING), facts, compressed);
  });

  async function sendEligibility(
    request: FastifyRequest<AgentRequest>,
    reply: FastifyReply,
    previewToken?: string,
  ): Promise<FastifyReply> {
    const reason = await visits.refusal({
      agent: request.params.agent,
      origin: pageOrigin(request),
      address: visitorAddress(request.ip),
      previewToken,
    });
    const eligibility: Eligibility = { allowed: reason === null, reason };
    return reply.header("cache-control", "no-store").send(eligibility);
  }
  const eligibility = "/sdk/v1/agents/:agent/eligibility";
  app.get<AgentRequest>(eligibility, (request, reply) => sendEligibility(request, reply));
  // In a body, because addresses are logged by what stands in between.
  app.post<AgentRequest & { Body?: Buffer }>(
    eligibility,
    { bodyLimit: MAX_QUESTION_BYTES },
    async (request, reply) => {
      const body = readJson(EligibilityQuestion, request.body ?? Buffer.alloc(0));
      if (!body.ok) return sendError(reply, 400, "invalid_request", body.message, body.parameter);
      return sendEligibility(request, reply, body.value.preview_token);
    },
  );

  app.get<{ Params: { agent: string; sha256: string } }>(
    "/sdk/v1/agents/:agent/files/:sha256",
    async (request, reply) => {
      const { params } = request;
      const file = await findShownFile(db, params.agent, params.sha256);
      if (file === undefined)
        return sendError(
          reply,
          404,
          "not_found",
          "The agent shows no such file. Ask again for what it shows.",
        );
      const { sha256, size, mediaType } = file;
      const etag = `"${sha256}"`;
      const range = byteRange(request, etag, size);
      if (range === "unsatisfiable")
        return sendError(
          reply.header("content-range", `bytes */${size}`),
          416,
          "invalid_request",
          `The file has ${size} bytes, and none in this range. Ask for others, or without Range for all.`,
        );
      const { bytes, close } = await files.open(file);
      finished(reply.raw, close);
      void reply.headers({ ...FILE_HEADERS, etag }).type(shownType(mediaType));
      if (range === "whole") return reply.send(bytes);
      const { first, last } = range;
      return reply
        .code(206)
        .header("content-range", `bytes ${first}-${last}/${size}`)
        .send(bytes.subarray(first, last + 1));
    },
  );
}

/** Seconds only: a visitor must not be offered a talk by voice for long after speech has gone. */
const FACTS_CACHING = "public, max-age=5";

/** Its address names its bytes. An SVG that is opened on its own may do nothing: its author is a stranger to this host. */
const FILE_HEADERS = {
  "accept-ranges": "bytes",
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
} as const;

/** The call draws Markdown, code and tables by itself; a browser only shows them as they stand. */
function shownType(mediaType: string): string {
  return mediaType.startsWith("text/") ? "text/plain; charset=utf-8" : mediaType;
}

/**
 * Sends a value as JSON, as small as the browser that asked can unpack it.
 *
 * @param compressed what was sent before: the best compression takes milliseconds, and visitors ask for the same facts.
 */
function sendCompressed(
  reply: FastifyReply,
  value: object,
  compressed: Map<string, Buffer>,
): FastifyReply {
  const encoding = contentEncoding(reply.request.headers["accept-encoding"]);
  if (encoding !== "identity") void reply.header("content-encoding", encoding);
  const text = JSON.stringify(value);
  const key = `${encoding} ${text}`;
  const body = compressed.get(key) ?? COMPRESS[encoding](Buffer.from(text));
  if (compressed.size >= MAX_COMPRESSED) compressed.clear();
  compressed.set(key, body);
  return reply.header("vary", "accept-encoding").type("application/json; charset=utf-8").send(body);
}

const MAX_COMPRESSED = 500;

const COMPRESS: Record<ContentEncoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body),
  gzip: (body) => gzipSync(body),
  identity: (body) => body,
};

/** Files that are read or sent at the same time may take as much together. */
const MAX_BYTES = 256_000_000;

/**
 * The files that are being sent, each in memory once, however many read it. Without a bound, slow
 * readers of large ones would exhaust the process.
 */
export class OpenFiles {
  readonly #db: Db;
  readonly #memory: MemoryBudget;
  readonly #open = new Map<string, { bytes: Promise<Buffer>; readers: number }>();

  constructor(db: Db, maxBytes: number = MAX_BYTES) {
    this.#db = db;
    this.#memory = new MemoryBudget(maxBytes);
  }

  async open(file: StoredFile): Promise<{ bytes: Buffer; close: () => void }> {
    const known = this.#open.get(file.sha256);
    if (known === undefined) this.#memory.take(file.size, 0);
    const opened = known ?? { bytes: readShownFile(this.#db, file), readers: 0 };
    this.#open.set(file.sha256, opened);
    opened.readers += 1;
    const close = (): void => {
      opened.readers -= 1;
      if (opened.readers > 0) return;
      this.#open.delete(file.sha256);
      this.#memory.giveBack(file.size);
    };
    try {
      return { bytes: await opened.bytes, close };
    } catch (error) {
      close();
      throw error;
    }
  }
}
