import { once } from "node:events";
import { createServer } from "node:http";
import type { Live } from "./live.ts";

export interface LiveServer {
  url: string;
  close(): Promise<void>;
}

const NOT_FOUND = JSON.stringify({
  error: {
    code: "not_found",
    message: "There is nothing but a WebSocket here. Open it at /sdk/v1/live.",
  },
});

/** For a process that only talks: nothing is answered but the upgrade to a socket. */
export async function startLiveServer(
  live: Live,
  { host, port }: { host: string; port: number },
): Promise<LiveServer> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      request.resume();
      response
        .writeHead(404, {
          "content-type": "application/json; charset=utf-8",
          "cache-control": "no-store",
        })
        .end(NOT_FOUND);
    },
  );
  server.on("upgrade", (request, socket, head) => live.handleUpgrade(request, socket, head));
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const open = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host}:${open}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
