import { startScriptedDns } from "#testing";
import type { DnsAnswer, ScriptedDns } from "#testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { acceptsMail } from "./accepts-mail.ts";
import { createDns } from "../egress/dns.ts";
import type { Dns } from "../egress/dns.ts";

const forever = new AbortController().signal;
const PUBLIC = "9.9.9.9";

/** What a name server says: by name, then by type; of anything else that it does not exist. */
type Zone = Record<string, { MX?: DnsAnswer; A?: DnsAnswer; AAAA?: DnsAnswer }>;

async function ask(zone: Zone): Promise<{ accepts: boolean | undefined; server: ScriptedDns }> {
  const server = await startScriptedDns(({ name, type }) => {
    const records = zone[name];
    return records === undefined ? "nxdomain" : (records[type] ?? []);
  });
  onTestFinished(server.close);
  const dns = createDns({ servers: [server.server] });
  return { accepts: await acceptsMail(dns, "x.test", forever), server };
}

const mx = (...records: string[]): Zone => ({ "x.test": { MX: records } });

describe("a domain", () => {
  it.each<[string, Zone, boolean]>([
    ["names an exchange", { ...mx("10 mx.test"), "mx.test": { A: [PUBLIC] } }, true],
    [
      "names one that has IPv6 only",
      { ...mx("10 mx.test"), "mx.test": { AAAA: ["2620:fe::fe"] } },
      true,
    ],
    [
      "names one whose name servers fail",
      { ...mx("10 mx.test"), "mx.test": { A: "servfail" } },
      true,
    ],
    ["names one whose address is not to be found", mx("10 mx.test"), true],
    [
      "names one that is private, and one that is not",
      {
        ...mx("1 in.test", "2 mx.test"),
        "in.test": { A: ["10.0.0.1"] },
        "mx.test": { A: [PUBLIC] },
      },
      true,
    ],
    [
      "has a null MX beside another",
      { ...mx("0 .", "10 mx.test"), "mx.test": { A: [PUBLIC] } },
      true,
    ],
    // D1
    ["says that it takes no mail", mx("0 ."), false],
    ["says so, whatever else it has", { "x.test": { MX: ["0 ."], A: [PUBLIC] } }, false],
    // D2
    ["has an IPv4 address and no exchange", { "x.test": { A: [PUBLIC] } }, true],
    ["has an IPv6 address and no exchange", { "x.test": { AAAA: ["2620:fe::fe"] } }, true],
    ["has neither", { "x.test": {} }, false],
    ["has a private address and no exchange", { "x.test": { A: ["127.0.0.1"] } }, false],
    // D3
    ["does not exist", {}, false],
    // D5
    ["names localhost", mx("10 localhost"), false],
    ["names a name of localhost", mx("10 mail.localhost"), false],
    ["names a private IP address", mx("10 192.168.0.1"), false],
    ["names a public IP address, which is no name", mx("10 9.9.9.9"), false],
    [
      "names an exchange with private addresses",
      { ...mx("10 in.test"), "in.test": { A: ["10.0.0.1"], AAAA: ["fd00::1"] } },
      false,
    ],
    [
      "names one on a cloud's own network",
      { ...mx("10 in.test"), "in.test": { A: ["169.254.169.254"] } },
      false,
    ],
  ])("that %s", async (_what, zone, accepts) => {
    expect((await ask(zone)).accepts).toBe(accepts);
  });

  // D4
  it.each<DnsAnswer>(["servfail", "refused", "malformed"])(
    "is not judged when its exchanges are %s",
    async (failure) => {
      const address = { A: [PUBLIC] };
      expect((await ask({ "x.test": { MX: failure, ...address } })).accepts).toBeUndefined();
    },
  );

  // D4
  it("is not judged when it has no exchange and its addresses are not told", async () => {
    expect((await ask({ "x.test": { A: "servfail" } })).accepts).toBeUndefined();
  });

  // D4
  it("is not judged when nobody answers in time", async () => {
    const server = await startScriptedDns(() => "silence");
    onTestFinished(server.close);
    const dns = createDns({ servers: [server.server] });
    expect(await acceptsMail(dns, "x.test", AbortSignal.timeout(100))).toBeUndefined();
  });

  it("that names hundreds of exchanges costs a few questions", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `in${index}.test`);
    const zone: Zone = mx(...names.map((name, index) => `${index} ${name}`));
    for (const name of names) zone[name] = { A: ["10.0.0.1"] };
    const { accepts, server } = await ask(zone);
    expect(accepts).toBe(false);
    expect(new Set(server.questions.map(({ name }) => name)).size).toBe(6);
  });

  it("is never judged by an error, whichever it is", async () => {
    const code = fc.constantFrom(
      "ESERVFAIL",
      "EREFUSED",
      "EBADRESP",
      "ETIMEOUT",
      "ECONNREFUSED",
      "ENOTIMP",
      "EFORMERR",
      "ECANCELLED",
    );
    await fc.assert(
      fc.asyncProperty(code, fc.boolean(), async (failure, isLater) => {
        const fail = (named: string): never => {
          throw Object.assign(new Error(named), { code: named });
        };
        const dns: Dns = {
          exchangesOf: async () => fail(isLater ? "ENODATA" : failure),
          addressesOf: async () => fail(failure),
        };
        expect(await acceptsMail(dns, "x.test", forever)).toBeUndefined();
      }),
    );
  });
});
