import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAuthorization } from "./authenticate.ts";

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const visible = fc.stringMatching(/^[!-~]+$/);
/** Any upper and lower case of a word. */
const anyCase = (word: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: word.length, maxLength: word.length }).map((upper) =>
    Array.from(word)
      .map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase()))
      .join(""),
  );

describe("an Authorization header", () => {
  it("is a token behind Bearer, in any case", () => {
    fc.assert(
      fc.property(anyCase("bearer"), visible, (scheme, token) => {
        expect(parseAuthorization(`${scheme} ${token}`)).toEqual({ token });
      }),
    );
  });

  it("is a client id and a token behind Basic, in any case, parted at the first colon", () => {
    fc.assert(
      fc.property(anyCase("basic"), fc.string(), fc.string(), (scheme, id, token) => {
        const clientId = id.replaceAll(":", "");
        expect(parseAuthorization(`${scheme} ${base64(`${clientId}:${token}`)}`)).toEqual({
          clientId,
          token,
        });
      }),
    );
  });

  // A3
  it.each([
    ["nothing", undefined],
    ["empty", ""],
    ["a scheme alone", "Bearer"],
    ["a scheme and a space", "Bearer "],
    ["a token alone", "svc_aa0123"],
    ["another scheme", "Digest svc_aa0123"],
    ["two tokens", "Bearer a b"],
    ["two headers in one", "Bearer a, Bearer b"],
    ["a leading space", " Bearer a"],
    ["base64 with foreign characters", "Basic YTpi!!!"],
    ["base64 of the URL kind", "Basic _-8="],
    ["base64 padding alone", "Basic =="],
    ["no colon", `Basic ${base64("client_aa svc_aa")}`],
    ["64 KB of spaces", `Bearer ${" ".repeat(65_536)}`],
  ])("is refused: %s", (_what, header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });

  // A3
  it("keeps further colons, NUL and whatever is no UTF-8 away from the client id's colon", () => {
    expect(parseAuthorization(`Basic ${base64("a:b:c")}`)).toEqual({ clientId: "a", token: "b:c" });
    expect(parseAuthorization(`Basic ${base64("\0:\0")}`)).toEqual({ clientId: "\0", token: "\0" });
    expect(
      parseAuthorization(`Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}`),
    ).toEqual({ clientId: "�", token: "�" });
  });

  // A3
  it("never throws, whatever it holds", () => {
    const scheme = fc.constantFrom("Bearer ", "Basic ", "basic  ", "");
    fc.assert(
      fc.property(scheme, fc.string({ maxLength: 200 }), (prefix, rest) => {
        const credentials = parseAuthorization(prefix + rest);
        expect(credentials === undefined || typeof credentials.token === "string").toBe(true);
      }),
    );
  });

  // S10
  it("is read in linear time", () => {
    const startedAt = performance.now();
    for (const part of [" ", "a", "a ", "=", "A="])
      parseAuthorization(`Basic ${part.repeat(500_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
