import type { FunnelCounter } from "#engagement";
import { AppError, isDatabaseAway } from "#platform";
import type { Recipients } from "#rights";
import { FunnelBeacon } from "@svc/contract/schemas";
import type { FastifyInstance } from "fastify";
import { addAgentRoutes } from "./agent-routes.ts";
import type { AgentRoutes } from "./agent-routes.ts";
import { sendError, sendRefusal } from "./http-error.ts";
import { readJson } from "./read-json.ts";
import { deviceOf, pageOrigin } from "./request-headers.ts";
import { addStartRoute } from "./start-route.ts";
import type { StartRoute } from "./start-route.ts";

export interface SdkRoutes extends AgentRoutes, StartRoute {
  funnel: FunnelCounter;
  recipients: Recipients;
}

/** Adds the routes that visitors' browsers call from any page: `/sdk/v1/…`. */
export function addSdkRoutes(app: FastifyInstance, options: SdkRoutes): void {
  void app.register(async (sdk) => {
    // Fastify's own parser refuses `__proto__`, which is plain data here; a beacon is sent as text.
    sdk.removeAllContentTypeParsers();
    sdk.addContentTypeParser(
      ["application/json", "text/plain"],
      { parseAs: "buffer" },
      async (_request: unknown, body: Buffer) => body,
    );
    sdk.setErrorHandler((error, request, reply) => {
      const away = error instanceof AppError ? error.retryable : isDatabaseAway(error);
      if (!away) throw error;
      request.log.warn({ err: error }, "not available");
      return sendRefusal(reply, "service_unavailable", options.clock.nowMs());
    });
    addAgentRoutes(sdk, options);
    addStartRoute(sdk, options);
    addEventRoute(sdk, options);
  });
}

const MAX_EVENT_BYTES = 1_024;

/** `POST /sdk/v1/events`: a page counts how far a visitor came. The answer never tells whether the agent exists. */
function addEventRoute(app: FastifyInstance, { funnel }: SdkRoutes): void {
  const route = { bodyLimit: MAX_EVENT_BYTES };
  app.post<{ Body?: Buffer }>("/sdk/v1/events", route, async (request, reply) => {
    const body = readJson(FunnelBeacon, request.body ?? Buffer.alloc(0));
    if (!body.ok) return sendError(reply, 400, "invalid_request", body.message, body.parameter);
    funnel.count(body.value, pageOrigin(request), deviceOf(request));
    return reply.code(204).header("cache-control", "no-store").send();
  });
}
