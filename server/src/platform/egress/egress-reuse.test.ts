import { Socket } from "node:net";
import { startRawReceiver, startScriptedDns } from "#testing";
import type { RawReceiver, RawReceiverOptions } from "#testing";
import { expect, it, onTestFinished } from "vitest";
import { createEgress } from "./egress.ts";
import type { EgressOptions, EgressOutcome } from "./egress.ts";
import { IdleConnections } from "./idle-connections.ts";
import type { IdleConnection } from "./idle-connections.ts";

const NO_CONTENT = "HTTP/1.1 204 \r\n\r\n";

async function start(
  answer: (socket: Socket) => unknown,
  options: RawReceiverOptions = {},
): Promise<RawReceiver> {
  const receiver = await startRawReceiver(answer, options);
  onTestFinished(receiver.close);
  return receiver;
}

/** Posts by one egress, as often as it is called. */
function poster(options: EgressOptions = {}): (url: string) => Promise<EgressOutcome> {
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true, ...options });
  onTestFinished(egress.close);
  const request = { headers: {}, body: Buffer.from("{}"), deadlineMs: 3_000 };
  return (url) => egress.post({ ...request, url });
}

it("uses a connection again for the next request to the same name and address", async () => {
  const receiver = await start((socket) => socket.write(NO_CONTENT));
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  for (let i = 0; i < 5; i++) expect(await post(url)).toMatchObject({ status: 204 });
  expect(receiver.connections()).toBe(1);
});

it("has as many connections as requests at once", async () => {
  const receiver = await start((socket) => setTimeout(() => socket.write(NO_CONTENT), 50));
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  await Promise.all(Array.from({ length: 8 }, () => post(url)));
  await Promise.all(Array.from({ length: 8 }, () => post(url)));
  expect(receiver.connections()).toBe(8);
});

it.each([
  ["Connection: close", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["bytes that nobody asked for", `${NO_CONTENT}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`],
])("does not use a connection again after %s", async (_name, answer) => {
  const receiver = await start((socket) => socket.write(answer));
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  const first = await post(url);
  const second = await post(url);
  expect([first.kind, second.kind]).toEqual(["answered", "answered"]);
  expect(receiver.connections()).toBe(2);
});

// W7
it.each<[string, (socket: Socket) => unknown]>([
  ["closed", (socket) => socket.end()],
  ["reset", (socket) => socket.resetAndDestroy()],
])("sends again, on a new connection, when a used one is %s as we send", async (_name, cut) => {
  const seen = new WeakSet<Socket>();
  const receiver = await start((socket) => {
    if (seen.has(socket)) return cut(socket);
    seen.add(socket);
    socket.write(NO_CONTENT);
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  await post(url);
  expect(await post(url)).toMatchObject({ kind: "answered", status: 204 });
  expect(receiver.connections()).toBe(2);
});

// W7
it("notices that a waiting connection was closed meanwhile", async () => {
  const receiver = await start((socket) => {
    socket.write(NO_CONTENT);
    setTimeout(() => socket.end(), 20);
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  for (let i = 0; i < 3; i++) {
    expect(await post(url)).toMatchObject({ kind: "answered" });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(receiver.requests).toHaveLength(3);
});

// W7
it("sends a second time only once: a new connection that is lost is a failure", async () => {
  let isFirst = true;
  const receiver = await start((socket) => {
    if (isFirst) socket.write(NO_CONTENT);
    else socket.resetAndDestroy();
    isFirst = false;
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  await post(url);
  expect(await post(url)).toMatchObject({ kind: "failed", why: "connection_lost" });
  expect(receiver.requests).toHaveLength(3);
});

// S11: a name that leads elsewhere by the next request
it("leaves a connection alone once its name leads to another address", async () => {
  const [old, next] = ["127.0.0.1", "127.0.0.2"];
  let address = old;
  const dns = await startScriptedDns(({ type }) => (type === "A" ? [address] : []));
  onTestFinished(dns.close);
  const post = poster({ dnsServers: [dns.server] });
  const first = await start((socket) => socket.write(NO_CONTENT), { host: old });
  const second = await start((socket) => socket.write(NO_CONTENT), {
    host: next,
    port: first.port,
  });
  const url = `http://receiver.test:${first.port}/`;
  await post(url);
  address = next;
  await post(url);
  expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
});

it("closes what waits when it is closed, and keeps nothing after that", async () => {
  let open = 0;
  const receiver = await start((socket) => {
    open++;
    socket.on("close", () => open--);
    socket.write(NO_CONTENT);
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
  const request = { url, headers: {}, body: Buffer.from("{}") };
  await egress.post(request);
  egress.close();
  await expect.poll(() => open).toBe(0);
  expect(await egress.post(request)).toMatchObject({ kind: "answered" });
  await expect.poll(() => open).toBe(0);
});

function connection(key: string): IdleConnection {
  const socket = new Socket();
  return { key, socket, close: () => void socket.destroy() };
}

it("hands out the one used last, each once", () => {
  const idle = new IdleConnections(10);
  const [first, second, other] = [connection("a"), connection("a"), connection("b")];
  for (const one of [first, second, other]) idle.keep(one);
  expect(idle.take(["a"])).toBe(second);
  expect(idle.take(["x", "a"])).toBe(first);
  expect(idle.take(["a"])).toBeUndefined();
});

it("closes the oldest when there are too many", () => {
  const idle = new IdleConnections(2);
  const all = ["a", "b", "c", "d"].map(connection);
  for (const one of all) idle.keep(one);
  expect(all.map(({ socket }) => socket.destroyed)).toEqual([true, true, false, false]);
  expect(idle.take(["a", "b"])).toBeUndefined();
});

it("does not keep what is closed", () => {
  const idle = new IdleConnections(2);
  const one = connection("a");
  one.socket.destroy();
  idle.keep(one);
  expect(idle.take(["a"])).toBeUndefined();
});
