import type { Socket } from "node:net";
import { startRawReceiver, startScriptedDns } from "#testing";
import type { RawReceiver, RawReceiverOptions } from "#testing";
import { expect, it, onTestFinished } from "vitest";
import { createEgress } from "./egress.ts";
import type { EgressOptions, EgressOutcome } from "./egress.ts";
import { exchangeFailure } from "./failure.ts";

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
  const request = { headers: {}, body: Buffer.from("{}"), deadlineMs: 1_000 };
  return (url) => egress.post({ ...request, url });
}

it("gives each request a connection of its own, and leaves none open", async () => {
  let open = 0;
  const receiver = await start((socket) => {
    open++;
    socket.on("close", () => open--);
    socket.write(NO_CONTENT);
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  for (let i = 0; i < 5; i++) expect(await post(url)).toMatchObject({ status: 204 });
  expect(receiver.connections()).toBe(5);
  for (const { head } of receiver.requests) expect(head).toContain("connection: close\r\n");
  await expect.poll(() => open).toBe(0);
});

// W7
it.each<[string, string, (socket: Socket) => unknown]>([
  ["closes", "connection_lost", (socket) => socket.end()],
  ["drops", "connection_lost", (socket) => socket.destroy()],
  ["resets", "connection_lost", (socket) => socket.resetAndDestroy()],
  ["stalls", "timed_out", () => {}],
])("sends once to a receiver that took one, reads the next and %s", async (_name, why, cut) => {
  let isFirst = true;
  const receiver = await start((socket) => {
    if (isFirst) socket.write(NO_CONTENT);
    else cut(socket);
    isFirst = false;
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const post = poster();
  expect(await post(url)).toMatchObject({ kind: "answered", status: 204 });
  expect(await post(url)).toMatchObject({ kind: "failed", why });
  expect(receiver.requests).toHaveLength(2);
});

// W7
it("never calls it a fault of ours once the receiver may have read the request", () => {
  const unknown = new Error("what nobody has seen before");
  expect(exchangeFailure(unknown, false).why).toBe("local_fault");
  expect(exchangeFailure(unknown, true).why).toBe("connection_lost");
});

// S11: a name that leads elsewhere by the next request
it("follows a name that leads to another address", async () => {
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
