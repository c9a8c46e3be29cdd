import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer on its way back, to be spoilt. */
export interface Passing {
  /** What was asked for, with its query. */
  target: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Servers with one fault each: the real one behind something that spoils its answers. */
export const faultyServers: Record<
  string,
  { target?(target: string): string; answer?(passing: Passing): void }
> = {
  "takes limit=0": { target: (target) => target.replaceAll(/\blimit=0+(?=&|$)/g, "limit=1") },
  "answers 500 to a wrong parameter": {
    answer(passing) {
      if (passing.status === 400) passing.status = 500;
    },
  },
  "looks at parameters before credentials": {
    answer(passing) {
      if (passing.status === 401 && passing.target.includes("limit=-")) passing.status = 400;
    },
  },
  "refuses without a body": {
    answer(passing) {
      if (passing.status >= 400) passing.body = "";
    },
  },
  "asks for Basic only": {
    answer({ headers }) {
      const challenges = headers["www-authenticate"];
      if (Array.isArray(challenges)) headers["www-authenticate"] = challenges.slice(0, 1);
    },
  },
  "blames another parameter": {
    answer(passing) {
      passing.body = passing.body.replace('"parameter":"limit"', '"parameter":"since"');
    },
  },
  "gives one session too many": {
    answer(passing) {
      passing.body = passing.body.replace('{"items":[{', '{"items":[{},{');
    },
  },
};

/** Stands before the server at `url` with one of the faults; returns its own address. */
export async function startFaultyProxy(
  url: string,
  fault: (typeof faultyServers)[string],
  onEnd: (stop: () => void) => void,
): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const target = fault.target?.(incoming.url ?? "") ?? incoming.url ?? "";
    const { hostname, port } = new URL(url);
    const { method, rawHeaders } = incoming;
    request({ hostname, port, method, path: target, headers: rawHeaders }, (answer) => {
      void bodyOf(answer).then((body) => {
        const { "transfer-encoding": _, ...headers } = answer.headers;
        const challenges = answer.headersDistinct["www-authenticate"];
        const passing: Passing = { target, status: answer.statusCode ?? 0, headers, body };
        if (challenges !== undefined) passing.headers["www-authenticate"] = challenges;
        fault.answer?.(passing);
        passing.headers["content-length"] = String(Buffer.byteLength(passing.body));
        outgoing.writeHead(passing.status, passing.headers).end(passing.body);
      });
    })
      // The last requests of a failed run are cut short.
      .on("error", () => outgoing.destroy())
      .end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onEnd(() => proxy.closeAllConnections());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
