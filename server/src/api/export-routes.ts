import { finished, Readable } from "node:stream";
import type { Authenticator, Caller } from "#accounts";
import type { Clock } from "#platform";
import type { Exporter, ExportPage, ExportPosition } from "#sessions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formatCursor, parseExportQuery } from "./export-query.ts";
import type { ExportQuery } from "./export-query.ts";
import { headerCount } from "./request-headers.ts";
import { sendError } from "./http-error.ts";
import { RateLimit } from "./rate-limit.ts";

export interface ExportRoutes {
  authenticator: Authenticator;
  exporter: Exporter;
  clock: Clock;
  publicUrl: string;
  ratePerSecond: number;
  rateBurst: number;
}

const FORMATS = {
  json: { path: "/v1/sessions.json", type: "application/json; charset=utf-8" },
  csv: { path: "/v1/sessions.csv", type: "text/csv; charset=utf-8; header=present" },
} as const;

/** Excel reads UTF-8 only behind this mark; pandas and most programs stumble over it. */
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** `GET /v1/sessions.json` and `/v1/sessions.csv`. */
export function addExportRoutes(app: FastifyInstance, options: ExportRoutes): void {
  const rateLimit = new RateLimit(options.ratePerSecond, options.rateBurst, options.clock);
  const guessRateLimit = new RateLimit(GUESSES_PER_SECOND, GUESSES_AT_ONCE, options.clock);

  for (const format of ["json", "csv"] as const) {
    app.get(FORMATS[format].path, async (request, reply) => {
      const caller = await options.authenticator.authenticate(authorization(request));
      if (caller === undefined) return unauthorized(request, reply, guessRateLimit);
      const waitSecs = rateLimit.take(caller.tokenId);
      if (waitSecs > 0) {
        void reply.header("retry-after", waitSecs);
        return sendError(
          reply,
          429,
          "rate_limited",
          `Too many requests with this token. Wait ${waitSecs} s and go on.`,
        );
      }
      return sendPage(request, reply, format, caller, options);
    });
  }
}

/** Returns the header, or undefined when it was sent twice: we must not guess which one was meant. */
function authorization({ headers, raw }: FastifyRequest): string | undefined {
  return headerCount(raw, "authorization") > 1 ? undefined : headers.authorization;
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  format: "json" | "csv",
  { account }: Caller,
  { exporter, publicUrl }: ExportRoutes,
): Promise<FastifyReply> {
  const search = request.raw.url?.split("?").slice(1).join("?") ?? "";
  const query = parseExportQuery(search);
  if (!query.ok) return sendError(reply, 400, "invalid_parameter", query.message, query.parameter);

  const page = await exporter.page({
    ...query,
    format,
    accountId: account.id,
    mode: account.exportMode,
  });
  // Not `once("close")`: a reader that left while the page was made has closed already.
  finished(reply.raw, () => page.release());
  void reply
    .type(FORMATS[format].type)
    .header("svc-complete-through", page.completeThrough)
    .header("svc-held", page.held)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .header("cross-origin-resource-policy", "same-origin");
  if (page.last !== undefined) {
    void reply.header(
      "link",
      `<${publicUrl}${FORMATS[format].path}?${nextQuery(search, query, page.last)}>; rel="next"`,
    );
  }
  if (format === "json") return reply.send(bodyOf(page));

  const isNavigation = request.headers["sec-fetch-dest"] === "document";
  return reply
    .header("content-disposition", 'attachment; filename="sessions.csv"')
    .header("vary", "Sec-Fetch-Dest")
    .send(
      bodyOf(isNavigation ? { ...page, body: Buffer.concat([BYTE_ORDER_MARK, page.body]) } : page),
    );
}

/** A page that fits into memory is sent whole. If the rest of a larger one cannot be read, the connection is cut: the reader sees that the page is not complete. */
function bodyOf({ body, rest }: ExportPage): Buffer | Readable {
  if (rest === undefined) return body;
  const all = async function* (): AsyncGenerator<Buffer> {
    yield body;
    yield* rest;
  };
  return Readable.from(all(), { objectMode: false });
}

/**
 * The same request, continued behind the last session: `limit` and `fields` stay as they were
 * understood, for what was written may be longer than a header can be; the cursor replaces `since`.
 */
function nextQuery(
  search: string,
  query: ExportQuery & { ok: true },
  last: ExportPosition,
): string {
  const given = new URLSearchParams(search);
  const next = new URLSearchParams();
  if (given.has("limit")) next.set("limit", String(query.limit));
  // A comma alone selects nothing; nothing would select all.
  if (given.getAll("fields").join(",") !== "") next.set("fields", query.fields.join(",") || ",");
  next.set("cursor", formatCursor(last));
  return next.toString();
}

/** The rate limit of requests with an unknown token, per address. */
const GUESSES_PER_SECOND = 10;
const GUESSES_AT_ONCE = 100;
/** An address that exceeds it waits this long for each answer. */
const GUESS_DELAY_MS = 1_000;

/** Answers a request without a valid token. Over the rate limit the answer is the same and only comes later; requests with a valid token are never delayed. */
async function unauthorized(
  request: FastifyRequest,
  reply: FastifyReply,
  guessRateLimit: RateLimit,
): Promise<FastifyReply> {
  if (guessRateLimit.take(request.ip) > 0)
    await new Promise((resolve) => setTimeout(resolve, GUESS_DELAY_MS));
  void reply.header("www-authenticate", [
    'Basic realm="Svc", charset="UTF-8"',
    'Bearer realm="Svc"',
  ]);
  return sendError(
    reply,
    401,
    "unauthorized",
    "Credentials are missing or not valid. Send `Authorization: Bearer <API token>`, or Basic with client id and token.",
  );
}
