import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "./metrics.ts";

export interface OperationsServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Health, readiness and metrics, on a port of its own that is never shown to the outside.
 * `/healthz`: the process runs. `/readyz`: it can serve; while it drains, or while what it stands
 * on is away, it says why. `/metrics`: Prometheus.
 */
export async function startOperationsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  /** Returns the names of the reasons why the process cannot serve right now; empty when it can. */
  notReady(): Promise<string[]>;
}): Promise<OperationsServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void =>
      void response
        .writeHead(status, { "content-type": type, "cache-control": "no-store" })
        .end(body);
    switch (request.url) {
      case "/healthz":
        return answer(200, "text/plain", "ok\n");
      case "/readyz":
        return void options.notReady().then(
          (reasons) =>
            reasons.length === 0
              ? answer(200, "text/plain", "ready\n")
              : answer(503, "text/plain", `${reasons.join("\n")}\n`),
          () => answer(503, "text/plain", "readiness could not be told\n"),
        );
      case "/metrics":
        return void options.metrics.metrics().then(
          (text) => answer(200, options.metrics.contentType, text),
          () => answer(500, "text/plain", "metrics could not be collected\n"),
        );
      default:
        return answer(404, "text/plain", "not found: try /healthz, /readyz or /metrics\n");
    }
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}`, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
