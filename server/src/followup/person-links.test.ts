import type { SecretKey } from "#platform";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createPersonLinks } from "./person-links.ts";

const OLD: SecretKey = { id: "k1", key: Buffer.alloc(32, 1) };
const NEW: SecretKey = { id: "k2", key: Buffer.alloc(32, 2) };
const publicUrl = "https://svc.test";
const links = createPersonLinks({ secretKeys: [NEW, OLD], publicUrl });
const tokenOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

it("a link leads back to its session, for its own purpose alone", () => {
  fc.assert(
    fc.property(fc.uuid(), (sessionId) => {
      const rights = links.rights(sessionId);
      const unsubscribe = links.unsubscribe(sessionId);
      expect(rights).toMatch(/^https:\/\/svc\.test\/you\/k2\.[\w-]{22}\.[\w-]{22}$/);
      expect(unsubscribe).toMatch(/^https:\/\/svc\.test\/you\/unsubscribe\/k2\.[\w.-]+$/);
      expect(links.read(tokenOf(rights), "rights")).toEqual({ sessionId });
      expect(links.read(tokenOf(rights), "unsubscribe")).toBeUndefined();
      expect(links.read(tokenOf(unsubscribe), "unsubscribe")).toEqual({ sessionId });
      expect(links.read(tokenOf(unsubscribe), "rights")).toBeUndefined();
    }),
  );
});

it("a link outlives a new key, and dies with its own", () => {
  const sessionId = "01933b1e-7f43-7c6e-8a51-0242ac120002";
  const before = tokenOf(createPersonLinks({ secretKeys: [OLD], publicUrl }).rights(sessionId));
  expect(links.read(before, "rights")).toEqual({ sessionId });
  const without = createPersonLinks({ secretKeys: [NEW], publicUrl });
  expect(without.read(before, "rights")).toBeUndefined();
});

it("nothing else is believed", () => {
  const token = tokenOf(links.rights("01933b1e-7f43-7c6e-8a51-0242ac120002"));
  const place = fc.nat({ max: token.length - 1 });
  const letter = fc.constantFrom("a", "b", "X", "Y", "0", "9", "-", "_", ".");
  fc.assert(
    fc.property(place, letter, (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(links.read(changed, "rights")).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
  fc.assert(fc.property(fc.string(), (text) => links.read(text, "rights") === undefined));
});
