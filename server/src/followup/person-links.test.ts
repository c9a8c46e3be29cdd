import { createHmac } from "node:crypto";
import type { SecretKey } from "#platform";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createAddressMarks, mailboxOf } from "./address-marks.ts";
import { createPersonLinks } from "./person-links.ts";

const OLD: SecretKey = { id: "k1", key: Buffer.alloc(32, 1) };
const NEW: SecretKey = { id: "k2", key: Buffer.alloc(32, 2) };
const publicUrl = "https://svc.test";
const links = createPersonLinks({ secretKeys: [NEW, OLD], publicUrl });
const tokenOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

const mailed = fc.record({
  sessionId: fc.uuid(),
  accountId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  mark: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
});

it("a link leads back to what it is about, for its own purpose alone", () => {
  fc.assert(
    fc.property(mailed, (of) => {
      const { sessionId } = of;
      const rights = links.rights(sessionId);
      const unsubscribe = links.unsubscribe(of);
      expect(rights).toMatch(/^https:\/\/svc\.test\/you\/k2\.[\w-]{22}\.[\w-]{22}$/);
      expect(unsubscribe).toMatch(/^https:\/\/svc\.test\/you\/unsubscribe\/k2\.[\w.-]+$/);
      expect(links.readRights(tokenOf(rights))).toEqual({ sessionId });
      expect(links.readUnsubscribe(tokenOf(rights))).toBeUndefined();
      expect(links.readUnsubscribe(tokenOf(unsubscribe))).toEqual(of);
      expect(links.readRights(tokenOf(unsubscribe))).toBeUndefined();
    }),
  );
});

it("a link outlives a new key, and dies with its own", () => {
  const sessionId = "01933b1e-7f43-7c6e-8a51-0242ac120002";
  const before = tokenOf(createPersonLinks({ secretKeys: [OLD], publicUrl }).rights(sessionId));
  expect(links.readRights(before)).toEqual({ sessionId });
  const without = createPersonLinks({ secretKeys: [NEW], publicUrl });
  expect(without.readRights(before)).toBeUndefined();
});

it("a link that an earlier release signed with the key itself stays valid", () => {
  const sessionId = "01933b1e-7f43-7c6e-8a51-0242ac120002";
  const said = Buffer.from(sessionId.replaceAll("-", ""), "hex");
  const signature = createHmac("sha256", OLD.key)
    .update("svc person link\nrights\n")
    .update(said)
    .digest()
    .subarray(0, 16);
  const token = `k1.${said.toString("base64url")}.${signature.toString("base64url")}`;
  expect(links.readRights(token)).toEqual({ sessionId });
  expect(links.readUnsubscribe(token)).toBeUndefined();
});

it.each([
  ["ada+demo@example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["+ada@example.com", "+ada@example.com"],
  ["a.da@example.com", "a.da@example.com"],
  ["a.d.a+x@googlemail.com", "ada@gmail.com"],
  ["a.d_a-x@pm.me", "adax@proton.me"],
  ["a-da.x@ya.ru", "adax@yandex.ru"],
  ["ada-shop@yahoo.co.uk", "ada@yahoo.co.uk"],
  ["-@yahoo.com", "-@yahoo.com"],
  ["ada+x@me.com", "ada@icloud.com"],
  ["ada@mac.com", "ada@icloud.com"],
  ["shop@ada.fastmail.com", "ada@fastmail.com"],
  ["shop@ada.fastmail.fm", "ada@fastmail.fm"],
  ["ada@gmail.com.example", "ada@gmail.com.example"],
])("%s reaches the mailbox %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
  expect(mailboxOf(mailbox)).toBe(mailbox);
});

/** The steps of replacing a key. While one is rolled out, some processes are at the step before. */
const STEPS: [SecretKey, ...SecretKey[]][] = [[OLD], [OLD, NEW], [NEW, OLD]];

it("no process refuses another's links while a key is added last, then put first", () => {
  const sessionId = "01933b1e-7f43-7c6e-8a51-0242ac120002";
  const isRead = (signing: (typeof STEPS)[number], reading: (typeof STEPS)[number]): boolean => {
    const token = tokenOf(createPersonLinks({ secretKeys: signing, publicUrl }).rights(sessionId));
    return createPersonLinks({ secretKeys: reading, publicUrl }).readRights(token) !== undefined;
  };
  for (const [index, step] of STEPS.entries()) {
    const before = STEPS[index - 1] ?? step;
    expect([isRead(step, before), isRead(before, step)]).toEqual([true, true]);
  }
  // The control: put first at once, it signs links that processes not restarted yet do not know.
  expect(isRead([NEW, OLD], [OLD])).toBe(false);
});

it("no process forgets who unsubscribed while a key is added last, then put first", () => {
  const isFound = (storing: (typeof STEPS)[number], looking: (typeof STEPS)[number]): boolean => {
    const [stored] = createAddressMarks(storing).marks("ada@example.com");
    const known = createAddressMarks(looking).marks("ada@example.com");
    return known.some((mark) => mark.equals(stored));
  };
  for (const [index, step] of STEPS.entries()) {
    const before = STEPS[index - 1] ?? step;
    expect([isFound(step, before), isFound(before, step)]).toEqual([true, true]);
  }
  expect(isFound([NEW, OLD], [OLD])).toBe(false);
});

it("nothing else is believed", () => {
  const token = tokenOf(links.rights("01933b1e-7f43-7c6e-8a51-0242ac120002"));
  const place = fc.nat({ max: token.length - 1 });
  const letter = fc.constantFrom("a", "b", "X", "Y", "0", "9", "-", "_", ".");
  fc.assert(
    fc.property(place, letter, (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(links.readRights(changed)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
  fc.assert(fc.property(fc.string(), (text) => links.readRights(text) === undefined));
});
