import { FunnelBeacon } from "@svc/contract/schemas";
import type { FastifyInstance } from "fastify";
import { sendError } from "./http-error.ts";
import { pageOrigin } from "./page-origin.ts";
import { readJson } from "./read-json.ts";
import type { SdkRoutes } from "./sdk-routes.ts";

const MOST_BYTES = 1_024;

/** `POST /sdk/v1/events`: a page counts how far somebody came. The answer never tells whether the agent exists. */
export function addEventRoute(app: FastifyInstance, { funnel }: SdkRoutes): void {
  const route = { bodyLimit: MOST_BYTES };
  app.post<{ Body?: Buffer }>("/sdk/v1/events", route, async (request, reply) => {
    const body = readJson(FunnelBeacon, request.body ?? Buffer.alloc(0));
    if (!body.ok) return sendError(reply, 400, "invalid_request", body.message, body.parameter);
    funnel.count(body.value, pageOrigin(request));
    return reply.code(204).header("cache-control", "no-store").send();
  });
}
