import {
  actorOf,
  hasRole,
  userOfConsoleToken,
  nameOfConsoleLink,
  signIn,
  signOut,
  userOfSession,
} from "#accounts";
import type { ConsoleUser } from "#accounts";
import { AppError, createSecrets, isDatabaseAway, parseJson } from "#platform";
import type { AppErrorCode, Cell, Clock, EgressOptions, Log, SecretKey } from "#platform";
import type { AdminErrorCode } from "@svc/contract/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { neededKeys } from "../needed-keys.ts";
import { Download } from "./admin-request.ts";
import type { AdminParts, AdminRoute } from "./admin-request.ts";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { ConsoleFiles } from "./console-files.ts";
import { cookieOf, endCookie, setCookie } from "./cookies.ts";
import type { Cookie } from "./cookies.ts";
import { toConsoleMe } from "./to-console-me.ts";
import { addOidcSignIn } from "./oidc-sign-in.ts";
import type { OidcProvider } from "./oidc-sign-in.ts";
import {
  awayPage,
  linkPage,
  notSignedInPage,
  sendConsolePage,
  signedInPage,
  signInPage,
  usedLinkPage,
} from "./sign-in-pages.ts";

export interface ConsoleRoutes extends Omit<AdminParts, "desk"> {
  /** The address that browsers see. Changes are taken from pages of its origin only. */
  publicUrl: string;
  cell: Cell;
  /** Without them no receiver can be registered or tested. */
  secretKeys: [SecretKey, ...SecretKey[]] | undefined;
  receivers: EgressOptions;
  clock: Clock;
  /** Whom people may sign in with beside printed links. */
  oidc: OidcProvider | undefined;
  log: Log;
  /** The folder with the console's built files. */
  folder: string;
}

const COOKIE: Cookie = {
  name: "__Host-svc_console",
  shape: /^[\w-]{43}$/,
  rules: "Path=/; Secure; HttpOnly; SameSite=Strict",
};
const MAX_BYTES = 65_536;

/**
 * Adds the console: its pages under `/console`, and the admin API. Two things keep other sites out:
 * SameSite=Strict, and the Origin of every change.
 */
export function addConsole(
  app: FastifyInstance,
  options: ConsoleRoutes,
  routes: readonly AdminRoute[] = ADMIN_ROUTES,
): void {
  void app.register(async (scope) => {
    // No other type: a form of another site cannot send JSON without asking first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ["application/json", "application/x-www-form-urlencoded"],
      { parseAs: "string", bodyLimit: MAX_BYTES },
      async (_request: unknown, body: string) => body,
    );
    scope.addHook("onRequest", async (request, reply) => {
      void reply.headers(PRIVATE);
      return isOfOrigin(request, new URL(options.publicUrl).origin)
        ? undefined
        : sendProblem(reply, 403, "other_origin", OTHER_ORIGIN);
    });
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    addPages(scope, options);
    for (const route of routes) {
      addAdminRoute(scope, route, { ...options, desk: deskOf(options) });
    }
  });
}

function deskOf({
  publicUrl,
  cell,
  secretKeys,
  receivers,
  clock,
}: ConsoleRoutes): AdminParts["desk"] {
  return {
    cell: () => cell,
    publicUrl: () => publicUrl,
    secrets: () => createSecrets(neededKeys(secretKeys, "webhook secrets")),
    receivers: () => receivers,
    clock,
    progress: () => {},
  };
}

/** No cache, no other site and no frame may hold what is shown here. */
const PRIVATE = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Not no-referrer: browsers would send `Origin: null` with the form, and nobody could sign in.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow",
} as const;

/**
 * Every browser sends Origin with a change. A request that only reads may come without, and so may one
 * with a token: a page of another site cannot send that header without asking first, and gets no answer.
 */
function isOfOrigin(request: FastifyRequest, own: string): boolean {
  const { method, headers } = request;
  if (headers.origin !== undefined) return headers.origin === own;
  return method === "GET" || method === "HEAD" || bearerOf(request) !== undefined;
}

/** A token of the command line; a cookie beside it does not count. */
function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
}

const OTHER_ORIGIN =
  "This request does not come from the console's own pages. The console takes changes from the address in SVC_PUBLIC_URL only. Open the console there and try again.";

function addPages(app: FastifyInstance, options: ConsoleRoutes): void {
  const { db, oidc, folder } = options;
  const files = new ConsoleFiles(folder);
  const provider = oidc && new URL(oidc.issuer).host;
  /** Whoever used this browser before is signed out, whatever cookie it holds. */
  const startSession = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sessionId: string,
  ): Promise<void> => {
    const before = cookieOf(request, COOKIE);
    if (before !== undefined) await signOut(db, before);
    setCookie(reply, COOKIE, sessionId);
  };
  if (oidc !== undefined) addOidcSignIn(app, { ...options, oidc, startSession });
  const tokenIn = ({ body = "" }: { body?: string | undefined }): string =>
    new URLSearchParams(body).get("token") ?? "";
  app.get("/console/sign-in", async (_request, reply) =>
    sendConsolePage(reply, linkPage(provider)),
  );
  app.post<{ Body?: string }>("/console/sign-in/link", async (request, reply) => {
    const token = tokenIn(request);
    const name = await nameOfConsoleLink(db, token);
    return name === undefined
      ? sendConsolePage(reply, usedLinkPage(provider), 404)
      : sendConsolePage(reply, signInPage(name, token));
  });
  app.post<{ Body?: string }>("/console/sign-in", async (request, reply) => {
    const token = tokenIn(request);
    const signed = await signIn(db, token);
    if (signed === undefined) return sendConsolePage(reply, usedLinkPage(provider), 404);
    await startSession(request, reply, signed.sessionId);
    return reply.redirect("/console", 303);
  });
  app.post("/console/sign-out", async (request, reply) => {
    const sessionId = cookieOf(request, COOKIE);
    if (sessionId !== undefined) await signOut(db, sessionId);
    endCookie(reply, COOKIE);
    return reply.header("clear-site-data", '"cache", "storage"').redirect("/console", 303);
  });
  app.get<{ Params: { name: string } }>("/console/assets/:name", async (request, reply) => {
    const sent = await files.sendAsset(request, reply, request.params.name);
    return sent ? reply : sendProblem(reply, 404, "not_found", NO_FILE);
  });
  // Every other address is one page, which shows what the address names.
  for (const path of ["/console", "/console/*"]) {
    app.get(path, async (request, reply) => {
      const user = await signedIn(db, request);
      if (user === undefined) return sendConsolePage(reply, notSignedInPage(provider), 401);
      const sent = await files.sendPage(request, reply);
      return sent ? reply : sendConsolePage(reply, signedInPage(toConsoleMe(user)));
    });
  }
}

const NO_FILE =
  "There is no such file of the console. A newer release may have replaced it: open the page again.";

async function signedIn(
  db: ConsoleRoutes["db"],
  request: FastifyRequest,
): Promise<ConsoleUser | undefined> {
  const sessionId = cookieOf(request, COOKIE);
  return sessionId === undefined ? undefined : userOfSession(db, sessionId);
}

function addAdminRoute(
  app: FastifyInstance,
  route: AdminRoute,
  options: ConsoleRoutes & AdminParts,
): void {
  const { method, path: url, least, answer } = route;
  app.route<{ Params: Record<string, string>; Body?: string }>({
    method,
    url,
    handler: async (request, reply) => {
      const token = bearerOf(request);
      const person = await (token === undefined
        ? signedIn(options.db, request)
        : userOfConsoleToken(options.db, token));
      if (person === undefined) return sendProblem(reply, 401, "unauthorized", NOBODY);
      if (!hasRole(person, least))
        return sendProblem(reply, 403, "forbidden", notAllowed(person, least));
      if (route.pagesOnly && token !== undefined)
        return sendProblem(reply, 403, "forbidden", PAGES_ONLY);
      const user = { ...person, actor: actorOf(person) };
      const { params, query } = request;
      const body = method === "GET" ? undefined : readBody(request.body);
      const answered = await answer({ ...options, user, params, query, body });
      return answered instanceof Download
        ? sendDownload(reply, answered)
        : reply.type("application/json; charset=utf-8").send(JSON.stringify(answered));
    },
  });
}

function sendDownload(reply: FastifyReply, { name, type, text }: Download): FastifyReply {
  return reply
    .type(type)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(text);
}

const NOBODY =
  "Nobody is signed in, or the sign-in has ended. Ask for a link: an operator makes one with `svc console login`.";

function notAllowed({ name, role }: ConsoleUser, least: string): string {
  return `${name} is ${role}, and this takes ${least}. An operator changes that with \`svc console login --name … --role ${least}\`.`;
}

const PAGES_ONLY =
  "A token cannot make tokens: one that was stolen would make itself successors. Sign in to the console with a browser and make it there.";

function readBody(body: string | undefined): unknown {
  if (body === undefined || body === "") return undefined;
  try {
    return parseJson(body);
  } catch {
    throw new AppError("invalid_input", {
      what: "The body could not be read.",
      why: "It is not JSON.",
      fix: "Send what contract/admin-openapi.json describes.",
    });
  }
}

const STATUS: Record<Exclude<AppErrorCode, "unavailable">, number> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
};

/** What is not one of ours, and a database that is away, is answered as everywhere else. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Somebody reads the pages, so they get a page; programs ask the admin API.
  const isAway = error instanceof AppError ? error.code === "unavailable" : isDatabaseAway(error);
  if (isAway && request.url.startsWith("/console")) {
    request.log.warn({ err: error }, "not available");
    return sendConsolePage(reply.header("retry-after", 5), awayPage(), 503);
  }
  if (!(error instanceof AppError) || error.code === "unavailable") throw error;
  return sendProblem(reply, STATUS[error.code], error.code, error.message);
}

function sendProblem(
  reply: FastifyReply,
  status: number,
  code: AdminErrorCode,
  message: string,
): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: { code, message } }));
}
