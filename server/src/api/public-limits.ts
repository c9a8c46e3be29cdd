import { networksOf, visitorAddress } from "#sessions";
import type { Clock } from "#platform";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "./http-error.ts";
import { sendTrouble } from "./person/send-page.ts";
import { RateLimit } from "./rate-limit.ts";

/** Requests that one address may make to a route. */
interface Rate {
  perSecond: number;
  burst: number;
}

const PAGE: Rate = { perSecond: 5, burst: 100 };
const FILES: Rate = { perSecond: 20, burst: 400 };
/** A mail provider unsubscribes many people from one address; each link has a limit of its own beside. */
const MAIL: Rate = { perSecond: 20, burst: 400 };

/** The limits of all routes that need no token, by the beginning of the route's pattern: the longest that matches. */
const PUBLIC_LIMITS: Record<string, Rate> = {
  "/sdk/v1/agents/:agent": PAGE,
  "/sdk/v1/agents/:agent/files/": FILES,
  "/sdk/v1/sessions": PAGE,
  "/sdk/v1/events": { perSecond: 10, burst: 200 },
  "/sdk/": FILES,
  "/preview/": PAGE,
  "/who-hears-you/": PAGE,
  "/openapi.json": PAGE,
  "/.well-known/": PAGE,
  "/you/": MAIL,
  "/console": PAGE,
  "/admin/": FILES,
};

/** What is at no route. */
const ELSEWHERE: Rate = PAGE;

/** Routes that count by their own: the export by token, and by address while the token is wrong. */
const OWN_LIMIT = "/v1/";

/** A network holds many addresses, and one that is flooded from all over it must still be refused. */
const NETWORK_FACTOR = 8;

/**
 * Refuses requests above the limits. Call it before routes are added: a public route without a limit
 * stops the server at its start.
 *
 * @param factor multiplies every limit; 0 switches them off.
 */
export function limitPublicRoutes(
  app: FastifyInstance,
  { clock, factor }: { clock: Clock; factor: number },
): void {
  // The longest beginning first, so that the first that matches is the right one.
  const limits = Object.entries(PUBLIC_LIMITS)
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([beginning, rate]) => ({ beginning, limit: new RouteLimit(rate, factor, clock) }));
  const elsewhere = new RouteLimit(ELSEWHERE, factor, clock);
  const byRoute = new Map<string, RouteLimit>();

  app.addHook("onRoute", ({ url }) => {
    if (url.startsWith(OWN_LIMIT)) return;
    const found = limits.find(({ beginning }) => url.startsWith(beginning));
    if (found === undefined)
      throw new Error(`The route ${url} has no rate limit. Add it to PUBLIC_LIMITS.`);
    byRoute.set(url, found.limit);
  });
  if (factor === 0) return;
  app.addHook("onRequest", async (request, reply) => {
    const { url = "" } = request.routeOptions;
    if (url.startsWith(OWN_LIMIT)) return undefined;
    const waitSecs = (byRoute.get(url) ?? elsewhere).take(visitorAddress(request.ip));
    return waitSecs === 0 ? undefined : sendTooMany(request, reply, waitSecs);
  });
}

/** The limit of a route: of each address, and of the networks around it. */
class RouteLimit {
  readonly #ofAddress: RateLimit;
  readonly #ofNetwork: RateLimit;

  constructor({ perSecond, burst }: Rate, factor: number, clock: Clock) {
    this.#ofAddress = new RateLimit(perSecond * factor, burst * factor, clock);
    const many = factor * NETWORK_FACTOR;
    this.#ofNetwork = new RateLimit(perSecond * many, burst * many, clock);
  }

  /** Returns 0, or the seconds to wait. */
  take(address: string): number {
    const waitSecs = this.#ofAddress.take(address);
    if (waitSecs > 0) return waitSecs;
    return Math.max(0, ...networksOf(address).map(({ cidr }) => this.#ofNetwork.take(cidr)));
  }
}

function sendTooMany(request: FastifyRequest, reply: FastifyReply, waitSecs: number): FastifyReply {
  void reply.header("retry-after", waitSecs);
  if (request.url.startsWith("/you/")) return sendTrouble(request, reply, "too_many");
  return sendError(
    reply,
    429,
    "rate_limited",
    `Too many requests came from this address or its network. Wait ${waitSecs} s and try again.`,
  );
}
