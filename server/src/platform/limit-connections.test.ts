import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { limitConnections } from "./limit-connections.ts";

/** A server, and a function that opens connections on which nothing is sent. */
async function listen(limit: { perAddress: number; trustedProxies?: string[] }) {
  const server = createServer((_request, response) => response.end("served"));
  limitConnections(server, { trustedProxies: [], addressOf: (ip) => ip, ...limit });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  async function open(): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }
  return {
    server,
    open,
    many: (count: number) => Promise.all(Array.from({ length: count }, open)),
  };
}

async function stillOpen(sockets: Socket[]): Promise<number> {
  const ask = async (socket: Socket): Promise<number> => {
    if (socket.destroyed) return 0;
    socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    return Number((await text(socket).catch(() => "")).endsWith("served"));
  };
  const served = await Promise.all(sockets.map(ask));
  return served.reduce((sum, one) => sum + one, 0);
}

test("an address has no more connections than it may, and is told so", async () => {
  const { many, open } = await listen({ perAddress: 20 });
  const sockets = await many(150);
  const refused = await text(await open());
  expect(refused).toContain("HTTP/1.1 429 Too Many Requests");
  expect(refused).toMatch(/retry-after: \d+/);
  expect(refused).toContain("Close some, or wait a moment");
  expect(await stillOpen(sockets)).toBe(20);
  // All have been closed, so there is room again.
  expect(await stillOpen([await open()])).toBe(1);
});

test("a trusted proxy has as many as it needs, and so has everybody without a limit", async () => {
  for (const limit of [
    { perAddress: 20, trustedProxies: ["127.0.0.0/8"] },
    { perAddress: 20, trustedProxies: ["127.0.0.1"] },
    { perAddress: 0 },
  ]) {
    const { many } = await listen(limit);
    expect(await stillOpen(await many(50))).toBe(50);
  }
});
