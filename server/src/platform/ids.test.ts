import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken, newAgentId, newClientId, newUuid, newToken } from "./ids.ts";

const cell = fc.stringMatching(/^[a-z0-9]{2}$/);
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("identifiers", () => {
  it("name their kind and their cell before an opaque part", () => {
    fc.assert(
      fc.property(cell, (name) => {
        expect(newAgentId(name)).toMatch(new RegExp(`^agent_${name}[a-z2-7]{20}$`));
        expect(newClientId(name)).toMatch(new RegExp(`^client_${name}[a-z2-7]{20}$`));
        expect(newToken(name)).toMatch(new RegExp(`^svc_${name}[0-9A-Za-z]{49}$`));
      }),
    );
  });

  it("use every symbol of the alphabet about as often as the next", () => {
    const counts = new Map<string, number>();
    const drawn = 3_200;
    for (let i = 0; i < drawn / 20; i++) {
      for (const symbol of newAgentId("aa").slice(-20))
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    // 100 are expected of each; 50 off is five standard deviations.
    expect(Math.max(...counts.values())).toBeLessThan(150);
    expect(Math.min(...counts.values())).toBeGreaterThan(50);
  });

  it("never repeat", () => {
    const made = Array.from({ length: 2_000 }, () => [
      newAgentId("aa"),
      newToken("aa"),
      newUuid(),
    ]).flat();
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("tokens", () => {
  it("are well-formed when made, whatever the cell", () => {
    fc.assert(fc.property(cell, (name) => isWellFormedToken(newToken(name))));
  });

  it("are told from every token that differs in one character", () => {
    const token = newToken("aa");
    for (let at = 0; at < token.length; at++) {
      for (const other of BASE62.replace(token[at]!, "")) {
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        expect(isWellFormedToken(changed), changed).toBe(false);
      }
    }
  });

  it("are told from cut, extended, padded and arbitrary text", () => {
    const token = newToken("aa");
    for (let length = 0; length < token.length; length++)
      expect(isWellFormedToken(token.slice(0, length))).toBe(false);
    for (const text of [
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      token + token,
    ]) {
      expect(isWellFormedToken(text), JSON.stringify(text)).toBe(false);
    }
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedToken(text)));
  });

  it("are hashed over their whole text", () => {
    const token = newToken("aa");
    expect(hashToken(token)).toHaveLength(32);
    expect(hashToken(token)).toEqual(hashToken(token));
    expect(hashToken(token)).not.toEqual(hashToken(token.slice(0, -1)));
  });
});

describe("session ids", () => {
  it("are UUIDs of version 7", () => {
    for (let i = 0; i < 1_000; i++) {
      expect(newUuid()).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it("sort by the millisecond they were made in", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(newUuid());
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(ids.toSorted()).toEqual(ids);
  });
});
