import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, trustedProxies } from "./client-address.ts";

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
