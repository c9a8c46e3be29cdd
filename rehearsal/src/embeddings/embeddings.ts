import { createServer } from "node:http";
import { join } from "node:path";
import { json as readJson } from "node:stream/consumers";
import * as z from "zod";
import { openPort } from "../port.ts";
import { WorkerPool } from "../speech/models/worker-pool.ts";
import type { Embedded } from "./embedding-worker.ts";

/** A running stand-in of a provider of embeddings, with a small real model for English. */
export interface Embeddings {
  /** What an OpenAI client takes as its base URL. */
  baseUrl: string;
  close(): Promise<void>;
}

const workers = new WorkerPool<string, Embedded>(
  join(import.meta.dirname, "embedding-worker.ts"),
  2,
);

const Asked = z.object({ model: z.string(), input: z.array(z.string()).max(2_048) });

export async function startEmbeddings(options: { port?: number } = {}): Promise<Embeddings> {
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(body));
    if (request.url !== "/v1/embeddings") return send(404, { error: { message: "not here" } });
    readJson(request)
      .then(async (body) => {
        const { model, input } = Asked.parse(body);
        const made = await Promise.all(input.map((text) => workers.run(text)));
        const tokens = made.reduce((sum, one) => sum + one.tokens, 0);
        send(200, {
          object: "list",
          model,
          data: made.map(({ vector }, index) => ({
            object: "embedding",
            index,
            embedding: [...vector],
          })),
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        });
      })
      .catch((error: unknown) => send(400, { error: { message: String(error) } }));
  });
  const port = await openPort(server, options.port);
  return { baseUrl: `http://127.0.0.1:${port.number}/v1`, close: () => port.close() };
}
