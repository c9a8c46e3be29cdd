import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startScriptedDns } from "@svc/server/testing";

/** What a name leads to. */
export interface Name {
  /** With `turns`, each question is answered by the next of these; otherwise by all. */
  addresses: string[];
  turns: boolean;
}

/**
 * The rest of the world, a process in its own network: every address is its own, each answers
 * HTTP with that address, and its name server says what it is told. `node world.ts <name server>`
 */
const [host = ""] = process.argv.slice(2);
let names: Record<string, Name> = {};
const asked = new Map<string, number>();
await startScriptedDns(
  ({ name, type }) => {
    const known = names[name];
    if (type === "MX") return [];
    if (known === undefined) return "nxdomain";
    const key = `${type} ${name}`;
    const turn = (asked.get(key) ?? 0) % known.addresses.length;
    asked.set(key, turn + 1);
    const answered = known.turns ? known.addresses.slice(turn, turn + 1) : known.addresses;
    return answered.filter((address) => address.includes(":") === (type === "AAAA"));
  },
  { host, port: 53 },
);

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
  names = next;
  asked.clear();
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
