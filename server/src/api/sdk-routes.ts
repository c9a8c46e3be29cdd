import type { FunnelCounter } from "#engagement";
import { AppError, isDatabaseAway } from "#platform";
import type { Clock, Db } from "#platform";
import type { Visits } from "#sessions";
import type { FastifyInstance } from "fastify";
import { addAgentRoutes } from "./agent-routes.ts";
import { addEventRoute } from "./event-route.ts";
import { sendRefusal } from "./send-refusal.ts";
import { addStartRoute } from "./start-route.ts";

export interface SdkRoutes {
  db: Db;
  visits: Visits;
  funnel: FunnelCounter;
  clock: Clock;
  /** Where browsers find files, and where they open the socket. */
  publicUrl: string;
  liveUrl: string;
}

/** What visitors' browsers ask for, from whatever page: `/sdk/v1/…`. */
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
