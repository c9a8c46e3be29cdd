import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startScriptedDns } from "@svc/server/testing";
import { Names } from "./names.ts";
import type { Name } from "./names.ts";

/**
 * The rest of the world, a process in its own network: every address is its own, each answers
 * HTTP with that address, and its name server says what it is told.
 */
const [host = ""] = process.argv.slice(2);
const names = new Names();
await startScriptedDns(({ name, type }) => (type === "MX" ? [] : names.answer(name, type)), {
  host,
  port: 53,
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const location = new URL(request.url ?? "", "http://x").searchParams.get("to");
  if (location !== null) response.writeHead(307, { location });
  response.end(request.socket.localAddress);
}
for (const listen of [{ host: "0.0.0.0" }, { host: "::", ipv6Only: true }]) {
  await new Promise<void>((resolve) => {
    createServer(answer).listen({ ...listen, port: 80 }, resolve);
  });
}

process.on("message", (next: Record<string, Name>) => {
  names.forget();
  names.define(next);
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
