import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A customer's receiver on this machine, over plain HTTP. */
export interface EventReceiver {
  url: string;
  received: ReceivedEvent[];
  close(): void;
}

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** `answer` gives the status of each request. It may wait, and say something. */
export async function startEventReceiver(
  answer: (event: ReceivedEvent, index: number) => EventAnswer | Promise<EventAnswer> = () => 204,
): Promise<EventReceiver> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = { headers: request.headers, body: Buffer.concat(chunks) };
      received.push(event);
      void Promise.resolve(answer(event, received.length - 1)).then((said) => {
        const {
          status,
          body = "",
          headers = {},
        } = typeof said === "number" ? { status: said } : said;
        response.writeHead(status, headers).end(body);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/svc`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type EventAnswer =
  | number
  | { status: number; body?: string | Buffer; headers?: Record<string, string> };
