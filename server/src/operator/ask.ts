import { AppError, createLog } from "#platform";
import type { AppErrorCode } from "#platform";
import { createRights } from "#rights";
import { AdminErrorBody } from "@svc/contract/schemas";
import type { AdminRoute } from "./console/admin-request.ts";
import type { AdminServer, Operator } from "./operator.ts";

/** What a verb is asked, as its route takes it. */
export interface Asked {
  params?: Record<string, string>;
  /** What is undefined is left out. */
  query?: Record<string, string | undefined>;
  body?: object;
}

/** Asks a verb: of the server that was named, else right here with the rights of who has the database's login. */
export async function ask<Answer extends object>(
  operator: Operator,
  route: AdminRoute<Answer>,
  asked: Asked = {},
): Promise<Answer> {
  const { params = {}, body } = asked;
  const given = Object.entries(asked.query ?? {}).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given) as Record<string, string>;
  if (operator.server !== undefined) {
    return askServer(operator.server, route, { params, query, body });
  }
  const db = operator.db();
  return route.answer({
    db,
    jobs: operator.jobs(),
    rights: createRights({ db, log: createLog("silent") }),
    desk: operator,
    user: {
      role: "admin",
      accounts: undefined,
      // Read when first used: who only looks need not say who they are.
      get name() {
        return operator.actor;
      },
      get actor() {
        return operator.actor;
      },
    },
    params,
    query,
    body,
  });
}

/** The receiver doctor may take a minute and a half. */
const ANSWER_WITHIN_MS = 180_000;

async function askServer<Answer extends object>(
  { url, token }: AdminServer,
  { method, path, output }: AdminRoute<Answer>,
  asked: {
    params: Record<string, string>;
    query: Record<string, string>;
    body?: object | undefined;
  },
): Promise<Answer> {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(asked.params[name] ?? ""),
  );
  const search = new URLSearchParams(asked.query).toString();
  const address = `${url.replace(/\/+$/, "")}${filled}${search === "" ? "" : `?${search}`}`;
  // oxlint-disable-next-line no-restricted-globals -- the address is the operator's own, from their own machine
  const response = await fetch(address, {
    method,
    // Another address must not get the token.
    redirect: "error",
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === "POST" && { "content-type": "application/json" }),
    },
    ...(method === "POST" && { body: JSON.stringify(asked.body ?? {}) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw away(url, String(Object(error).cause ?? error));
  });
  const answered: unknown = await response.json().catch(() => undefined);
  if (response.ok && output !== undefined) return output.parse(answered);
  const refused = AdminErrorBody.safeParse(answered);
  if (!refused.success) throw away(url, `it answered with ${response.status}`);
  const { code, message } = refused.data.error;
  throw new AppError(CODES[code] ?? "conflict", wordsOf(message));
}

const CODES: Record<string, AppErrorCode> = {
  invalid_input: "invalid_input",
  not_found: "not_found",
};

/** The server's message is three sentences or more: what happened, why, and what to do. */
function wordsOf(message: string): { what: string; why: string; fix: string } {
  const sentences = message.split(/(?<=[.!?])\s+(?=[A-Z`])/);
  return {
    what: sentences[0] ?? message,
    why: sentences.slice(1, -1).join(" ") || "The server says so.",
    fix: sentences.length > 1 ? sentences.at(-1)! : "Ask whoever runs the server.",
  };
}

function away(url: string, why: string): AppError {
  return new AppError("unavailable", {
    what: `The server ${url} cannot be asked.`,
    why: `${why.replace(/\.$/, "")}.`,
    fix: "Check --server or SVC_SERVER: it is the address of your API, as in SVC_PUBLIC_URL.",
  });
}

/** Refuses addresses over which others would read the token. */
export function checkServer(url: string, token: string | undefined): AdminServer {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) {
    throw new AppError("invalid_input", {
      what: `svc does not ask ${url}.`,
      why: "A token goes over https only, or stays on this machine.",
      fix: "Give the https address of your API.",
    });
  }
  if (token === undefined) {
    throw new AppError("invalid_input", {
      what: "svc does not know who you are.",
      why: "SVC_SERVER_TOKEN is not set, and a server answers only to people of its console.",
      fix: "Make a token on your page in the console, or let somebody run `svc console login --name … --token`.",
    });
  }
  return { url, token };
}

/** The operator who has no database. */
export function atServer(operator: Operator, server: AdminServer, command: string): Operator {
  return {
    ...operator,
    server,
    db: () => {
      throw new AppError("invalid_input", {
        what: `\`svc ${command}\` needs the database.`,
        why: "With --server svc asks the admin API, which has no such verb.",
        fix: "Run it without --server where SVC_DATABASE_URL is set. docs/operate/accounts-and-tokens.md lists what works with --server.",
      });
    },
  };
}
