import type { Dns } from "#platform";
import { createFakeClock } from "#testing";
import { expect, it } from "vitest";
import { MailDomains } from "./domain-check.ts";

/** A cache whose name servers know a mail exchange for every domain, except those that are set to fail. */
function domainsOf() {
  const asked: string[] = [];
  const failing = new Set<string>();
  const clock = createFakeClock();
  const dns: Dns = {
    exchangesOf: async (name) => {
      asked.push(name);
      if (failing.has(name)) throw Object.assign(new Error("away"), { code: "ESERVFAIL" });
      return [`mx.${name}`];
    },
    addressesOf: async () => ["9.9.9.9"],
  };
  return { asked, failing, clock, domains: new MailDomains(dns, clock) };
}

it("asks a domain once, and again after ten minutes", async () => {
  const { asked, clock, domains } = domainsOf();
  for (let i = 0; i < 3; i++) expect(await domains.accepts("x.test")).toBe(true);
  expect(asked).toEqual(["x.test"]);
  clock.advance(599_999);
  await domains.accepts("x.test");
  expect(asked).toHaveLength(1);
  clock.advance(1);
  await domains.accepts("x.test");
  expect(asked).toHaveLength(2);
});

it("asks once for all who ask at the same time", async () => {
  const { asked, domains } = domainsOf();
  const answers = await Promise.all([1, 2, 3].map(() => domains.accepts("x.test")));
  expect(answers).toEqual([true, true, true]);
  expect(asked).toEqual(["x.test"]);
});

it("never keeps that it does not know", async () => {
  const { asked, failing, domains } = domainsOf();
  failing.add("x.test");
  expect(await domains.accepts("x.test")).toBeUndefined();
  failing.clear();
  expect(await domains.accepts("x.test")).toBe(true);
  expect(asked).toHaveLength(2);
});

it("keeps ten thousand domains, and lets go of the oldest", async () => {
  const { asked, domains } = domainsOf();
  for (let number = 0; number <= 10_000; number++) await domains.accepts(`x${number}.test`);
  await domains.accepts("x1.test");
  expect(asked).toHaveLength(10_001);
  await domains.accepts("x0.test");
  expect(asked).toHaveLength(10_002);
});
