import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "#platform";
import { LiveBrowser } from "#testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { Gate, clientAddress, trustedProxies } from "./gate.ts";

/** A gate whose hellos are held up until the test lets them go on, in the order that they were handed on. */
async function heldGate({ maxPerAddress = 0 } = {}) {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let ended = 0;
  const gate = new Gate({
    clock: systemClock,
    trustedProxies: [],
    helloWithinMs: 5_000,
    maxWaiting: 50,
    maxWaitingPerAddress: 50,
    maxPerAddress,
    onHello: (_, { ticket }) => {
      asked.push(ticket!);
      return new Promise((resolve) => held.push(resolve));
    },
    onEnd: () => void (ended += 1),
  });
  const server = createServer().on("upgrade", (...upgrade) => gate.handleUpgrade(...upgrade));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    gate.close();
    server.close();
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/sdk/v1/live`;
  const hello = async (session: string, ticket: string): Promise<LiveBrowser> => {
    const browser = await LiveBrowser.open(url);
    browser.hello(session, { ticket }).catch(() => {});
    return browser;
  };
  return { asked, hello, url, ended: () => ended, goOn: () => held.shift()!() };
}

const ONE = "0199d1c8-8ee0-7000-8000-000000000001";
const OTHER = "0199d1c8-8ee0-7000-8000-000000000002";

// V2, V5
test("hellos of a session follow one another, and who has gone meanwhile is passed over", async () => {
  const gate = await heldGate();
  const ticket = (name: string): string => name.padEnd(43, "x");
  await gate.hello(ONE, ticket("held"));
  await vi.waitFor(() => expect(gate.asked).toEqual([ticket("held")]));
  const gone = await gate.hello(ONE, ticket("gone"));
  await gate.hello(ONE, ticket("last"));
  await gate.hello(OTHER, ticket("other"));
  await vi.waitFor(() => expect(gate.asked).toEqual([ticket("held"), ticket("other")]));
  gone.socket.terminate();
  await vi.waitFor(() => expect(gate.ended()).toBe(1));
  gate.goOn();
  await vi.waitFor(() => expect(gate.asked.slice(2)).toEqual([ticket("last")]));
});

test("an address has no more sockets than it may, and gets a place back with each that closes", async () => {
  const gate = await heldGate({ maxPerAddress: 2 });
  const first = await gate.hello(ONE, "a".repeat(43));
  await gate.hello(OTHER, "b".repeat(43));
  const refused = await gate.hello(ONE, "c".repeat(43));
  expect(refused.closeCode).toBe(1006);
  first.socket.terminate();
  await vi.waitFor(() => expect(gate.ended()).toBe(1));
  expect((await gate.hello(ONE, "d".repeat(43))).closeCode).toBeUndefined();
});

// A5
test("only a client that speaks our protocol is let in", async () => {
  const { url } = await heldGate();
  const statusOf = async (protocols: string): Promise<number | undefined> => {
    const { hostname: host, port, pathname: path } = new URL(url);
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": protocols,
    };
    const sent = sendRequest({ host, port, path, headers }).end();
    const [response, socket] = await Promise.race([once(sent, "response"), once(sent, "upgrade")]);
    socket?.destroy();
    return (response as IncomingMessage).statusCode;
  };
  expect(await statusOf("mqtt")).toBe(400);
  expect(await statusOf("")).toBe(400);
  expect(await statusOf("mqtt, svc.live.v1")).toBe(101);
});

const trusted = trustedProxies(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);

function addressOf(remoteAddress: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const request = { socket: { remoteAddress }, headers };
  return clientAddress(request as unknown as IncomingMessage, trusted);
}

// A8
test("a stranger's header says nothing", () => {
  expect(addressOf("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
});

test("a trusted proxy's header names the visitor, however many proxies there are", () => {
  expect(addressOf("127.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  expect(addressOf("::ffff:127.0.0.1", "198.51.100.1, 10.1.2.3")).toBe("198.51.100.1");
});

// A8
test("what the visitor wrote in front of it is not looked at", () => {
  expect(addressOf("127.0.0.1", "1.1.1.1, 198.51.100.1, 10.1.2.3")).toBe("198.51.100.1");
});

test("a header that cannot be read leaves the proxy's own address", () => {
  expect(addressOf("10.0.0.7", "nonsense")).toBe("10.0.0.7");
  expect(addressOf("10.0.0.7")).toBe("10.0.0.7");
  expect(addressOf("10.0.0.7", "")).toBe("10.0.0.7");
});

test("an IPv6 visitor counts by the network", () => {
  expect(addressOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressOf("fd00::1", "2001:db8:1:2::77")).toBe("2001:db8:1:2::/64");
});
