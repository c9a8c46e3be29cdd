import { Resolver } from "node:dns/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
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

it("asks the machine's own name servers when it is given none", async () => {
  const machine = vi.spyOn(Resolver.prototype, "setServers");
  onTestFinished(() => machine.mockRestore());
  const stopped = new AbortController();
  const lookup = createDns({ servers: [] }).addressesOf("x.test", stopped.signal);
  stopped.abort(new Error("enough"));
  await expect(lookup).rejects.toThrow("enough");
  expect(machine).not.toHaveBeenCalled();
});

describe("mail exchanges", () => {
  async function exchanges(answer: DnsAnswer): Promise<unknown> {
    const server = await startScriptedDns(({ type }) => (type === "MX" ? answer : []));
    onTestFinished(server.close);
    return createDns({ servers: [server.server] })
      .exchangesOf("x.test", forever)
      .catch((error: NodeJS.ErrnoException) => error.code);
  }

  it.each<[string, DnsAnswer, unknown]>([
    [
      "come in the order of their preference",
      ["20 b.test", "5 A.test", "10 c.test"],
      ["a.test", "c.test", "b.test"],
    ],
    ["have an empty name in a null MX", ["0 ."], [""]],
    ["may be none", [], "ENODATA"],
    ["of a name that does not exist", "nxdomain", "ENOTFOUND"],
    ["that cannot be read", "malformed", "EBADRESP"],
  ])("%s", async (_name, answer, found) => {
    expect(await exchanges(answer)).toEqual(found);
  });

  it("are asked for by TCP when they are too many for a datagram", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `${index} mx${index}.example.test`);
    const server = await startScriptedDns(({ by }) => (by === "udp" ? "truncated" : many));
    onTestFinished(server.close);
    const dns = createDns({ servers: [server.server] });
    expect(await dns.exchangesOf("x.test", forever)).toHaveLength(60);
    expect(server.questions.map(({ by }) => by)).toEqual(["udp", "tcp"]);
  });
});
