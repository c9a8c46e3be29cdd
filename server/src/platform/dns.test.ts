import { expect, it, onTestFinished } from "vitest";
import { startScriptedDns } from "#testing";
import type { DnsAnswer, ScriptedDns } from "#testing";
import { createDns, saysThereIsNone } from "./dns.ts";
import type { Dns } from "./dns.ts";

const forever = new AbortController().signal;

async function resolver(a: DnsAnswer, aaaa: DnsAnswer): Promise<{ dns: Dns; server: ScriptedDns }> {
  const server = await startScriptedDns(({ type }) => (type === "A" ? a : aaaa));
  onTestFinished(server.close);
  return { dns: createDns({ servers: [server.server] }), server };
}

it("gives the addresses of both kinds, IPv4 first", async () => {
  const { dns } = await resolver(["192.0.2.1", "192.0.2.2"], ["2001:db8::1"]);
  const found = await dns.addressesOf("x.test", forever);
  expect(found.slice(0, 2).toSorted()).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(found.slice(2)).toEqual(["2001:db8::1"]);
});

it.each<[string, DnsAnswer, DnsAnswer, boolean]>([
  ["neither kind exists", "nxdomain", "nxdomain", true],
  ["neither kind has a record", [], [], true],
  ["one was not told", "nxdomain", "servfail", false],
  ["the other was not told", "refused", [], false],
])("knows whether there is none when %s", async (_name, a, aaaa, isKnown) => {
  const { dns } = await resolver(a, aaaa);
  const error = await dns.addressesOf("x.test", forever).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(saysThereIsNone(error)).toBe(isKnown);
});

it("keeps nothing: each lookup asks again", async () => {
  const { dns, server } = await resolver(["192.0.2.1"], []);
  for (let i = 0; i < 3; i++) await dns.addressesOf("x.test", forever);
  expect(server.questions).toHaveLength(6);
});

it("stops with the caller's reason", async () => {
  const { dns } = await resolver(["192.0.2.1"], "silence");
  const stopped = new AbortController();
  setTimeout(() => stopped.abort(new Error("enough")), 50);
  await expect(dns.addressesOf("x.test", stopped.signal)).rejects.toThrow("enough");
  await expect(dns.addressesOf("x.test", stopped.signal)).rejects.toThrow("enough");
});
