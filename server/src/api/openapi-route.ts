import openapi from "@svc/contract/openapi.json" with { type: "json" };
import type { FastifyInstance } from "fastify";

/** The contract as a file, for client generators and for people. */
export function addOpenapiRoute(app: FastifyInstance): void {
  const text = JSON.stringify(openapi);
  app.get("/openapi.json", (_request, reply) =>
    reply
      .type("application/json; charset=utf-8")
      .header("access-control-allow-origin", "*")
      .send(text),
  );
}
