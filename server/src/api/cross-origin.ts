import type { FastifyInstance } from "fastify";

/**
 * Opens `/sdk/` to every page, its errors and missing addresses too, and nothing else. There are no
 * cookies and no credentials here: what a page may do is decided by its agent, not by its browser.
 */
export function openToEveryPage(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/sdk/")) void reply.headers(OPEN);
  });
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
