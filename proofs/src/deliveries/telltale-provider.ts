import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A model's provider that refuses every request and repeats the key in its answer, as some do. */
export async function startTelltaleProvider(): Promise<{ baseUrl: string; close(): void }> {
  const server = createServer((request, response) => {
    const message = `Incorrect API key provided: ${request.headers.authorization}`;
    request.resume().once("end", () => {
      response.writeHead(401, { "content-type": "application/json", "x-key": message });
      response.end(JSON.stringify({ error: { message, type: message, code: message } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => void server.close() };
}
