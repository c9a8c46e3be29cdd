import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../app-error.ts";
import { addressKind } from "./address-guard.ts";
import { checkAddress } from "./target.ts";

const development = { allowPlainHttp: true, allowPrivate: true };

/** Undefined when it was refused, with the one error that a refusal is. */
function taken(address: string): string | undefined {
  try {
    return checkAddress(address, {});
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function problemOf(address: string, rules = {}): AppError {
  try {
    checkAddress(address, rules);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${address} was taken`);
}

// W12
describe("an address at registration", () => {
  it.each([
    ["keeps a path and a query", "https://example.com/a/b?c=d", "https://example.com/a/b?c=d"],
    ["drops the default port", "https://example.com:443/", "https://example.com/"],
    ["keeps another port", "https://example.com:8443/x", "https://example.com:8443/x"],
    ["drops a fragment", "https://example.com/x#part", "https://example.com/x"],
    ["writes names in ASCII", "https://bücher.example/ö", "https://xn--bcher-kva.example/%C3%B6"],
    ["drops a final dot", "https://Example.COM.:9/x", "https://example.com:9/x"],
    ["drops spaces around it", " https://example.com/x\n", "https://example.com/x"],
    ["adds a path", "https://example.com", "https://example.com/"],
    ["resolves dots", "https://example.com/a/../b", "https://example.com/b"],
    ["takes public literals", "https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
    ["reads numbers as addresses", "https://0x08.8.0x808/", "https://8.8.8.8/"],
  ])("%s", (_name, given, stored) => {
    expect(checkAddress(given, {})).toBe(stored);
    expect(checkAddress(stored, {})).toBe(stored);
  });

  it.each([
    ["nothing", "", "not a web address"],
    ["words", "my receiver", "not a web address"],
    ["another scheme", "ftp://example.com/", "not a web address"],
    ["a file", "file:///etc/passwd", "not a web address"],
    ["plain http", "http://example.com/", "begins with http:"],
    ["a user name", "https://me@example.com/", "user name or a password"],
    ["a password", "https://me:secret@example.com/", "user name or a password"],
    ["port 0", "https://example.com:0/", "port is 0"],
    ["a port beyond all", "https://example.com:65536/", "not a web address"],
    ["an empty label", "https://example..com/", "No computer"],
    ["a label of 64", `https://${"a".repeat(64)}.com/`, "No computer"],
    ["a name of 254", `https://${"a.".repeat(127)}aa/`, "No computer"],
    ["odd characters", "https://exa$mple.com/", "No computer"],
    ["a path of 8 KB", `https://example.com/${"x".repeat(8_192)}`, "longer than 2048"],
    ["a zone", "https://[fe80::1%25eth0]/", "not a web address"],
  ])("refuses %s, and says why and what to do", (_name, given, why) => {
    const problem = problemOf(given);
    expect(problem.code).toBe("invalid_input");
    expect(problem.why).toContain(why);
    expect(problem.fix).not.toBe("");
    expect(problem.message).not.toContain("secret");
  });

  it("takes plain http and this machine where the operator allows them", () => {
    expect(checkAddress("http://localhost:4000/x", development)).toBe("http://localhost:4000/x");
    expect(checkAddress("http://[::1]:4000/x", development)).toBe("http://[::1]:4000/x");
    expect(problemOf("http://169.254.169.254/", development).why).toContain("not a public address");
  });

  it("is refused with a reason or comes out in one spelling, whatever was typed", () => {
    const text = fc.oneof(fc.webUrl(), fc.string(), fc.string({ unit: "binary" }));
    const address = fc.oneof(
      text,
      text.map((one) => `https://${one}`),
    );
    fc.assert(
      fc.property(address, (given) => {
        const stored = taken(given);
        if (stored === undefined) return;
        const { protocol, username, password, hash } = new URL(stored);
        expect(protocol + username + password + hash).toBe("https:");
        expect(taken(stored)).toBe(stored);
      }),
    );
  });
});

// S11: literals in every spelling, in the way that URLs are read
describe("an address that leads inside", () => {
  const numbers =
    "2130706433 0x7f000001 017700000001 127.1 127.0.1 0x7f.1 0177.0.0.01 0 0xa9fea9fe";
  const names =
    "①②⑦.0.0.1 127。0。0。1 127.0.0.1. 169.254.169.254 localhost LOCALHOST. x.localhost";
  const ipv6 =
    "[::] [::1] [::ffff:127.0.0.1] [::5efe:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::1] [2001:0:7f00:1::1] [::ffff:0:7f00:1] [fd00:ec2::254] [fe80::1]";
  it.each(`${numbers} ${names} ${ipv6}`.split(" "))("%s is refused", (host) => {
    expect(problemOf(`https://${host}/`).why).toContain("is not a public address");
  });

  it("is refused as its plain form is, however its numbers are written", () => {
    const octet = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 10, 127, 169, 254));
    const base = fc.constantFrom(8, 10, 16);
    const parts = fc.tuple(octet, octet, octet, octet);
    const spelling = fc.record({ bases: fc.tuple(base, base, base, base), joined: fc.nat(3) });
    fc.assert(
      fc.property(parts, spelling, (octets, { bases, joined }) => {
        const host = spell(octets, bases, joined);
        const plain = octets.join(".");
        const isPublic = addressKind(plain) === "public";
        expect(taken(`https://${host}/`)).toBe(isPublic ? `https://${plain}/` : undefined);
      }),
    );
  });
});

const PREFIXES: Record<number, string> = { 8: "0", 10: "", 16: "0x" };

/** Joins the last octets into one number and writes each number in a base of its own. */
function spell(octets: readonly number[], bases: readonly number[], joined: number): string {
  const split = 3 - joined;
  const tail = octets.slice(split).reduce((sum, octet) => sum * 256 + octet, 0);
  return [...octets.slice(0, split), tail]
    .map((number, index) => `${PREFIXES[bases[index]!]}${number.toString(bases[index])}`)
    .join(".");
}
