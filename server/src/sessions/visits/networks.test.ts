import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { networksOf, visitorAddress } from "./networks.ts";

// A8
describe("a visitor's address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["unknown", "unknown"],
    ["203.0.113.7:443", "unknown"],
    ["\0", "unknown"],
  ])("%s counts as %s", (given, counted) => {
    expect(visitorAddress(given)).toBe(counted);
  });

  it("is one for all that share a /64, and short and plain whatever was sent", () => {
    fc.assert(
      fc.property(fc.ipV6(), (given) => {
        const counted = visitorAddress(given);
        expect(visitorAddress(counted.replace("::/64", "::1"))).toBe(counted);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (given) => {
        expect(visitorAddress(given)).toMatch(/^[0-9a-z.:/]{1,45}$/);
      }),
    );
  });
});

describe("the networks of an address", () => {
  it.each([
    ["203.0.113.7", ["203.0.113.0/24"]],
    ["2001:db8:1:2ff::7", ["2001:db8:1:200::/56", "2001:db8:1::/48"]],
    ["2001:db8::1", ["2001:db8:0:0::/56", "2001:db8:0::/48"]],
    ["no address", []],
  ])("%s are %j", (ip, cidrs) => {
    expect(networksOf(visitorAddress(ip)).map(({ cidr }) => cidr)).toEqual(cidrs);
  });

  it("hold the address, and are the same for all that they hold", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(), (ip, random) => {
        for (const { cidr, bits } of networksOf(visitorAddress(ip))) {
          const [network, length] = ipaddr.parseCIDR(cidr);
          expect(length).toBe(bits);
          const address = ipaddr.process(ip);
          expect(address.match(network, length)).toBe(true);
          const bytes = address.toByteArray();
          const neighbour = bytes.map((byte, n) => (n * 8 < bits ? byte : (byte + random) % 256));
          const near = networksOf(visitorAddress(ipaddr.fromByteArray(neighbour).toString()));
          expect(near.map((one) => one.cidr)).toContain(cidr);
          const stranger = bytes.map((byte, n) => (n * 8 === bits - 8 ? byte ^ 1 : byte));
          const far = networksOf(visitorAddress(ipaddr.fromByteArray(stranger).toString()));
          expect(far.map((one) => one.cidr)).not.toContain(cidr);
        }
      }),
    );
  });
});
