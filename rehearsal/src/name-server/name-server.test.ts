import { Resolver } from "node:dns/promises";
import { expect, onTestFinished, test } from "vitest";
import { startNameServer } from "./name-server.ts";

async function asking(): Promise<Resolver> {
  const { server, close } = await startNameServer();
  onTestFinished(close);
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([server]);
  return resolver;
}

test("every domain takes mail, at an exchange with an address", async () => {
  const resolver = await asking();
  for (const domain of ["example.com", "gmail.com", "kranich.example"]) {
    const [record] = await resolver.resolveMx(domain);
    expect(await resolver.resolve4(record!.exchange)).toHaveLength(1);
  }
});

test.each([
  ["gmial.con", "ENOTFOUND"],
  ["gmial.com", "ENOTFOUND"],
  ["kranich.invalid", "ENOTFOUND"],
  ["servfail.test", "ESERVFAIL"],
  ["silent.test", "ETIMEOUT"],
])("%s fails with %s", async (domain, code) => {
  await expect((await asking()).resolveMx(domain)).rejects.toMatchObject({ code });
});

test("a domain can say that it takes no mail", async () => {
  const records = await (await asking()).resolveMx("no-mail.test");
  expect(records).toMatchObject([{ exchange: "", priority: 0 }]);
});

test("hosts have the addresses that this machine knows", async () => {
  expect(await (await asking()).resolve4("localhost")).toContain("127.0.0.1");
});
