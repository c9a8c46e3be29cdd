import { makeConsoleLink } from "#accounts";
import type { ConsoleLogin } from "#accounts";
import { createJobSender, createLog, systemClock, transact } from "#platform";
import type { Db } from "#platform";
import { createRights } from "#rights";
import Fastify from "fastify";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type { AdminRoute } from "./admin-request.ts";
import { addConsole } from "./console-routes.ts";
import type { ConsoleRoutes } from "./console-routes.ts";

export const ORIGIN = "https://svc.example.com";
export const COOKIE = "__Host-svc_console";
const FORM = "application/x-www-form-urlencoded";

/** A console over a database, and who asks it. */
export class ConsoleUnderTest {
  readonly app: FastifyInstance = Fastify();
  readonly #db: Db;
  /** Every route that there is: `GET /console`. */
  readonly routes: string[] = [];

  constructor(
    { db }: { db: Db },
    options: Partial<ConsoleRoutes> = {},
    routes?: readonly AdminRoute[],
  ) {
    this.#db = db;
    const log = createLog("silent");
    this.app.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) if (one !== "HEAD") this.routes.push(`${one} ${url}`);
    });
    const parts = { db, log, jobs: createJobSender(db, log), rights: createRights({ db, log }) };
    const own: ConsoleRoutes = {
      ...parts,
      publicUrl: `${ORIGIN}/`,
      cell: "aa",
      secretKeys: undefined,
      receivers: { allowPlainHttp: true, allowPrivate: true },
      clock: systemClock,
      oidc: undefined,
      folder: "/nowhere",
    };
    addConsole(this.app, { ...own, ...options }, routes);
  }

  async link(login: ConsoleLogin): Promise<string> {
    const made = transact(this.#db, (trx) => makeConsoleLink(trx, "os:root", login));
    return (await made).token;
  }

  async signIn(login: ConsoleLogin): Promise<string> {
    return cookieIn(await this.use(await this.link(login)));
  }

  /** Presses the button of a link's page; with another address, posts the link's token there. */
  async use(
    token: string,
    headers: Record<string, string> = {},
    url = "/console/sign-in",
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method: "POST",
      url,
      headers: { origin: ORIGIN, "content-type": FORM, ...headers },
      payload: new URLSearchParams({ token }).toString(),
    });
  }

  async ask(
    method: "GET" | "POST",
    url: string,
    cookie?: string,
    {
      origin = method === "POST" ? ORIGIN : undefined,
      body,
    }: { origin?: string | undefined; body?: object | undefined } = {},
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method,
      url,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(origin !== undefined && { origin }),
      },
      ...(body !== undefined && { payload: body }),
    });
  }
}

export function cookieIn({ headers }: LightMyRequestResponse): string {
  return String(headers["set-cookie"]).split(";", 1)[0]!;
}
