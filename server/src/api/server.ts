import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "#platform";
import type { Log, Metrics } from "#platform";
import openapi from "@svc/contract/openapi.json" with { type: "json" };
import Fastify from "fastify";
import { LogController } from "fastify";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import { Histogram } from "prom-client";
import { addExportRoutes } from "./export-routes.ts";
import type { ExportRoutes } from "./export-routes.ts";
import { errorBody, sendError } from "./http-error.ts";
import { addPersonRoutes } from "./person/person-routes.ts";
import type { PersonRoutes } from "./person/person-routes.ts";
import { addRecipientsPage } from "./person/recipients-route.ts";
import { addPreviewPage } from "./preview-page.ts";
import { limitPublicRoutes } from "./public-limits.ts";
import { headerCount } from "./request-headers.ts";
import { serveSdkFiles } from "./sdk-files.ts";
import { addSdkRoutes } from "./sdk-routes.ts";
import type { SdkRoutes } from "./sdk-routes.ts";

export interface ApiOptions {
  log: Log;
  metrics: Metrics;
  trustedProxies: string[];
  /** Multiplies the rate limits of public routes; 0 switches them off. */
  publicRateFactor: number;
  /** Absent where the operator names none: then there is no security.txt. */
  securityContact?: string | undefined;
  export: ExportRoutes;
  sdk: SdkRoutes;
  /** Absent where no secret key is configured: without one there are no links to sign. */
  person?: PersonRoutes | undefined;
  /** Adds what other adapters serve on the same port: the console. */
  addRoutes?: ((app: FastifyInstance) => void) | undefined;
  /** The folder with the SDK's built files. */
  sdkFolder: string;
}

/** Everything that customers and browsers reach over HTTP. */
export function createApi(options: ApiOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length === 0 ? false : options.trustedProxies,
    // A client that sends its request drop by drop is let go: Node's own limits are 60 s and 300 s.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // While closing, requests that already arrived are still answered; readiness keeps new ones away.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) =>
      void sendError(
        reply,
        400,
        "invalid_request",
        "The address of this request is not valid. Check its encoding.",
      ),
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance;

  app.server.on("checkExpectation", answerExpectation);
  measure(app, options.metrics);
  closeConnectionsWhileClosing(app);
  openToEveryPage(app);
  limitPublicRoutes(app, { clock: options.sdk.clock, factor: options.publicRateFactor });
  answerUnknown(app);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(error, reply, request.log),
  );

  addPreflightRoute(app);
  addExportRoutes(app, options.export);
  addOpenapiRoute(app);
  addSecurityText(app, options);
  addSdkRoutes(app, options.sdk);
  addPreviewPage(app, options.sdk);
  addRecipientsPage(app, options.sdk);
  if (options.person !== undefined) addPersonRoutes(app, options.person);
  options.addRoutes?.(app);
  serveSdkFiles(app, options.sdkFolder, options.export.publicUrl);
  return app;
}

/** One line and one measurement per request: no address, no query, no header. */
function measure(app: FastifyInstance, metrics: Metrics): void {
  const seconds = new Histogram({
    name: "svc_http_request_seconds",
    help: "Time to answer, by route and status",
    labelNames: ["route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [metrics],
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    seconds.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    request.log.debug(
      {
        route,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "answered",
    );
  });
}

/** A connection that is kept after its last answer would hold the closing server until it times out. */
function closeConnectionsWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => void (closing = true));
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) void reply.header("connection", "close");
    done();
  });
}

/** Before the routes, whose paths it learns: `hasRoute` takes a path for a pattern and stumbles over `/:a(`. */
function answerUnknown(app: FastifyInstance): void {
  const paths = new Map<string, string[]>();
  app.addHook("onRoute", ({ url, method }) => {
    paths.set(url, [...(paths.get(url) ?? []), method].flat());
  });
  // Before the body is looked at: its type does not matter where nothing takes a body.
  app.addHook("onRequest", async (request, reply) => {
    const hosts = headerCount(request.raw, "host");
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === "1.1")) {
      return sendError(
        reply,
        400,
        "invalid_request",
        "A request names its host once. Send one header Host.",
      );
    }
    if (!request.is404) return undefined;
    const methods = paths.get(request.url.split("?", 1)[0]!);
    if (methods !== undefined) {
      void reply.header("allow", methods.join(", "));
      return sendError(
        reply,
        405,
        "method_not_allowed",
        `This address is not there for ${request.method}. Use ${methods[0]}.`,
      );
    }
    return sendError(
      reply,
      404,
      "not_found",
      "There is nothing at this address. The sessions are at /v1/sessions.json and /v1/sessions.csv.",
    );
  });
}

/** Node would answer without a body. */
function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(417, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
    })
    .end(
      errorBody("invalid_request", "This expectation cannot be met. Leave out the header Expect."),
    );
}

function answerError(
  error: FastifyError,
  reply: FastifyReply,
  log: Pick<Log, "error" | "warn">,
): FastifyReply {
  if (error instanceof AppError && error.code === "unavailable") {
    log.warn({ err: error }, "not available");
    return sendError(reply.header("retry-after", 1), 503, "unavailable", error.message);
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return sendError(
      reply,
      error.statusCode,
      "invalid_request",
      "This request could not be read. Check its headers and body.",
    );
  }
  log.error({ err: error }, "request failed");
  return sendError(
    reply,
    500,
    "internal_error",
    "Something went wrong on our side. It has been logged; try again, or tell us if it stays.",
  );
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The headers of this request are too large. Send less than 16 KB.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The request took too long to arrive. Send it again.",
  ],
};

/** Answers bytes that are not HTTP on the socket itself, because they never reach a route. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ""] ?? [
    "400 Bad Request",
    "This is not an HTTP request that we understand.",
  ];
  const body = errorBody("invalid_request", message);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * Opens `/sdk/` to every page, its errors and missing addresses too, and nothing else. There are no
 * cookies and no credentials here: what a page may do is decided by its agent, not by its browser.
 */
function openToEveryPage(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/sdk/")) void reply.headers(OPEN);
  });
}

/** Before a page sends JSON, its browser asks whether it may. */
function addPreflightRoute(app: FastifyInstance): void {
  app.options("/sdk/*", async (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
}

const OPEN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after",
  "timing-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
} as const;

const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": 86_400,
} as const;

/** Where to report vulnerabilities (RFC 9116). */
function addSecurityText(app: FastifyInstance, { securityContact, export: own }: ApiOptions): void {
  app.get("/.well-known/security.txt", (_request, reply) => {
    if (securityContact === undefined)
      return sendError(
        reply,
        404,
        "not_found",
        "This service names no contact for vulnerabilities.",
      );
    const expires = new Date(own.clock.nowMs() + SECURITY_TEXT_FOR_MS).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      `Canonical: ${own.publicUrl}/.well-known/security.txt`,
    ];
    return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
}

/** RFC 9116 asks for less than a year. */
const SECURITY_TEXT_FOR_MS = 180 * 86_400_000;

/** The contract as a file, for client generators and for people. */
function addOpenapiRoute(app: FastifyInstance): void {
  const text = JSON.stringify(openapi);
  app.get("/openapi.json", (_request, reply) =>
    reply
      .type("application/json; charset=utf-8")
      .header("access-control-allow-origin", "*")
      .send(text),
  );
}
