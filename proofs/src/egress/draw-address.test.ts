import { BlockList } from "node:net";
import { expect, it } from "vitest";
import { Random } from "@svc/tools/random";
import { FORBIDDEN_RANGES } from "./addresses.ts";
import { drawAddress } from "./draw-address.ts";

it.each(FORBIDDEN_RANGES)("draws from all of %s/%i and from nowhere else", (prefix, bits) => {
  const family = prefix.includes(".") ? "ipv4" : "ipv6";
  const range = new BlockList();
  range.addSubnet(prefix, bits, family);
  const random = new Random(1);
  const drawn = Array.from({ length: 300 }, () => drawAddress([prefix, bits], random));
  expect(drawn.filter((address) => !range.check(address, family))).toEqual([]);
  expect(new Set(drawn).size).toBeGreaterThan(100);
});
