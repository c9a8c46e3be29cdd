import { expect, it, test } from "vitest";
import type { Fault } from "./fault.ts";
import { catcherUnderTest, greeted, RawClient } from "./mail-catcher-under-test.ts";

// D7
test.each<[Fault, string[], number]>([
  [{ kind: "reply", status: 451 }, ["250", "451"], 0],
  [{ kind: "reply", status: 550, at: "sender" }, ["550"], 0],
  [{ kind: "reply", status: 552, at: "message" }, ["250", "250", "354", "552"], 0],
  [{ kind: "late", afterMs: 30 }, ["250", "250", "354", "250"], 1],
  // The mail is kept though its sender was not told so.
  [{ kind: "cut" }, ["250", "250", "354"], 1],
  [{ kind: "cut", at: "recipient" }, ["250"], 0],
])("%j is shown", async (fault, answers, kept) => {
  const catcher = await catcherUnderTest({ faults: [fault] });
  expect(await (await greeted(catcher)).send()).toEqual(answers);
  expect(catcher.counts()).toMatchObject({ mails: kept, faults: { [fault.kind]: 1 } });
});

test.each<Fault>([{ kind: "silent" }, { kind: "drip" }])("%j has no end", async (fault) => {
  const catcher = await catcherUnderTest({ faults: [fault] });
  const client = await greeted(catcher);
  const sent = client.send();
  await expect.poll(() => catcher.mails()).toMatchObject([{ fault: fault.kind }]);
  const answered = await Promise.race([sent, new Promise((done) => setTimeout(done, 100, "no"))]);
  expect(answered).toBe("no");
});

it("greets as a fault says", async () => {
  const faults: Fault[] = [{ kind: "reply", status: 421, at: "greeting" }];
  const client = await RawClient.open(await catcherUnderTest({ faults }));
  expect(await client.hear()).toMatch(/^421 /);
});

it("keeps a fault to one address, and to so many times", async () => {
  const to = "bob@customer.test";
  const faults: Fault[] = [{ kind: "reply", status: 450, to, times: 1 }];
  const client = await greeted(await catcherUnderTest({ faults }));
  expect((await client.send()).at(-1)).toBe("250");
  expect((await client.send([to])).at(-1)).toBe("450");
  await client.say("RSET");
  expect((await client.send([to])).at(-1)).toBe("250");
});

it("does not offer STARTTLS when it is told not to", async () => {
  const catcher = await catcherUnderTest({ tls: {}, faults: [{ kind: "no_starttls", times: 1 }] });
  expect(await (await greeted(catcher)).say("STARTTLS")).toMatch(/^5/);
  expect(await (await greeted(catcher)).say("STARTTLS")).toMatch(/^220/);
});

test.each([
  ["tls_expired", "CERT_HAS_EXPIRED"],
  ["tls_self_signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["tls_wrong_host", "ERR_TLS_CERT_ALTNAME_INVALID"],
] as const)("%s is a certificate that a client refuses", async (kind, code) => {
  const catcher = await catcherUnderTest({ tls: {}, faults: [{ kind }] });
  const client = await greeted(catcher);
  await expect(client.encrypt(catcher.secure!.authority)).rejects.toMatchObject({ code });
});

it("is switched from outside, and says what is wrong with a switch", async () => {
  const { url } = await catcherUnderTest();
  const put = (faults: unknown): Promise<Response> =>
    fetch(`${url}/rehearsal/faults`, { method: "PUT", body: JSON.stringify({ faults }) });
  expect((await put([{ kind: "silent" }])).status).toBe(200);
  expect(await (await fetch(`${url}/rehearsal/faults`)).json()).toMatchObject({
    faults: [{ kind: "silent", hits: 0 }],
  });
  for (const fault of [{ kind: "reply" }, { kind: "tls_expired" }, { kind: "cut", at: "noon" }]) {
    expect((await put([fault])).status).toBe(400);
  }
});
