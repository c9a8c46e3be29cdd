import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visitorAddress } from "./visitor-address.ts";

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
