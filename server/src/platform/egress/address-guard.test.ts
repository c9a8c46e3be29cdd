import { isIP } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { addressKind, createAddressGuard } from "./address-guard.ts";

// S11
describe("addresses that nobody's requests may go to", () => {
  it.each([
    ["this network", "0.0.0.0", "0.1.2.3"],
    ["shared by carriers", "100.64.0.1", "100.127.255.254", "100.100.100.200"],
    ["link-local, metadata included", "169.254.1.1", "169.254.169.254", "fe80::1", "febf:ffff::1"],
    ["assigned to protocols", "192.0.0.1", "192.0.0.192", "192.88.99.1", "2001:1ff::1"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff:fff::1"],
    ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["multicast", "224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"],
    ["reserved, broadcast", "240.0.0.1", "255.255.255.255"],
    ["unspecified", "::"],
    ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8"],
    ["IPv4-compatible", "::127.0.0.1", "::808:808"],
    ["IPv4-translated (SIIT)", "::ffff:0:127.0.0.1", "::ffff:0:808:808"],
    ["ISATAP over nothing", "::5efe:7f00:1", "::5efe:808:808"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::7f00:1", "64:ff9b:0:1::1"],
    ["6to4", "2002:7f00:1::1", "2002:808:808::1"],
    ["Teredo", "2001:0:7f00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["discard, segment routing, site-local", "100::1", "5f00::1", "fec0::1"],
    ["not allotted to anybody", "1::1", "100:0:0:1::1", "4000::1", "fe00::1"],
    ["metadata in a private range", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42"],
    ["the wire server of Azure", "168.63.129.16"],
    ["the resolver of IBM Cloud", "161.26.0.10"],
    ["the storage of IBM Cloud", "166.9.0.1"],
  ])("%s", (_name, ...addresses) => {
    const guard = createAddressGuard({ allowPrivate: true });
    expect(addresses.filter((address) => guard(address))).toEqual([]);
  });
});

const PRIVATE = ["127.0.0.1", "127.254.254.254", "10.0.0.1", "172.31.255.255", "192.168.1.1"];
const PRIVATE_IPV6 = ["::1", "fc00::1", "fdff:ffff::1"];

it("lets requests into private networks only where the operator allows it", () => {
  for (const address of [...PRIVATE, ...PRIVATE_IPV6]) {
    expect(createAddressGuard({})(address), address).toBe(false);
    expect(createAddressGuard({ allowPrivate: true })(address), address).toBe(true);
  }
});

it("lets requests through to the internet, up to the edges of what is not", () => {
  const guard = createAddressGuard({});
  const ipv4 =
    "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.254 100.128.0.1 126.255.255.255 172.15.255.255 172.32.0.0 192.88.98.255 192.88.100.1 223.255.255.255";
  const ipv6 = "2000::1 2001:200::1 2606:4700:4700::1111 3ffe:ffff::1 3fff:1000::1";
  for (const address of `${ipv4} ${ipv6}`.split(" ")) {
    expect(guard(address), address).toBe(true);
  }
});

it("keeps out of ranges that the operator names, public ones included", () => {
  const guard = createAddressGuard({
    allowPrivate: true,
    alsoForbidden: ["8.8.8.0/24", "2606:4700::/32", "10.1.0.0/16"],
  });
  expect(["8.8.8.8", "2606:4700::1", "10.1.2.3"].filter(guard)).toEqual([]);
  expect(["8.8.9.8", "2606:4701::1", "10.2.2.3"].filter((one) => !guard(one))).toEqual([]);
});

const ipv4 = fc.ipV4();
const ipv6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(toIpv6);

it("calls no IPv6 address outside 2000::/3 public, whatever it holds", () => {
  fc.assert(
    fc.property(ipv6, (address) => {
      const isGlobalUnicast = /^[23][0-9a-f]{3}:/.test(address);
      return isGlobalUnicast || addressKind(address) !== "public";
    }),
  );
});

it("judges every spelling of an IPv4 address inside an IPv6 one as forbidden", () => {
  const prefixes = ["::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "::5efe:"];
  fc.assert(
    fc.property(ipv4, fc.constantFrom(...prefixes), (address, prefix) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const hex = ((a << 8) | b).toString(16) + ":" + ((c << 8) | d).toString(16);
      const sixToFour = `2002:${hex}::1`;
      // ::1 itself is loopback, which is private.
      fc.pre(prefix !== "::" || a + b + c > 0);
      return [`${prefix}${address}`, `${prefix}${hex}`, sixToFour].every(
        (one) => isIP(one) === 6 && addressKind(one) === "forbidden",
      );
    }),
  );
});

it("judges text that is no plain address as forbidden, and never throws", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-fx.:%[\]]{0,24}$/), (text) => {
      const kind = addressKind(text);
      return kind === "forbidden" || isIP(text) !== 0;
    }),
  );
  for (const text of [
    "127.1",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "fe80::1%eth0",
    "1.1.1.1%1",
  ]) {
    expect(addressKind(text), text).toBe("forbidden");
  }
});

it("agrees with the registry's own ranges for IPv4", () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      const isUnicast = ipaddr.IPv4.parse(address).range() === "unicast";
      return (addressKind(address) === "public") === isUnicast;
    }),
  );
});

function toIpv6(number: bigint): string {
  const digits = number.toString(16).padStart(32, "0");
  return digits.match(/.{4}/g)!.join(":");
}
