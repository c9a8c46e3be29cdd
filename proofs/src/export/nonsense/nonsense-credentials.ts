import fc from "fast-check";
import type { KnownAccount } from "./known-account.ts";
import type { Credentials } from "./export-request.ts";

/** Credentials from sound to senseless. */
export function nonsenseCredentials({
  token,
  clientId,
  foreignToken,
  revokedToken,
}: KnownAccount): fc.Arbitrary<Credentials> {
  const bearer = fc.constantFrom("Bearer", "bearer", "BEARER", "bEaReR");
  const basic = fc.constantFrom("Basic", "basic", "BASIC");
  const space = fc.constantFrom(" ", "  ");
  const valid = fc.oneof(
    fc.tuple(bearer, space).map(([scheme, gap]) => `${scheme}${gap}${token}`),
    fc
      .tuple(basic, space)
      .map(([scheme, gap]) => `${scheme}${gap}${base64(`${clientId}:${token}`)}`),
  );
  const wrongToken = fc.oneof(
    fc.constantFrom(revokedToken, token.slice(0, -1), `${token}0`, token.toUpperCase(), ""),
    fc.constantFrom(`${token},`, `"${token}"`, `<${token}>`, `${token}=`),
    fc
      .nat(token.length - 1)
      .map((at) => `${token.slice(0, at)}${token[at] === "x" ? "y" : "x"}${token.slice(at + 1)}`),
    headerText,
  );
  const wrongPair = fc.oneof(
    fc.constant(`${clientId}:${foreignToken}`),
    wrongToken.map((wrong) => `${clientId}:${wrong}`),
    fc.constantFrom(clientId, token, "", ":", `:${token}`, `${clientId}:`, `${clientId}:${token}:`),
    fc.constantFrom(
      `${clientId}:${token}\0`,
      `${clientId} :${token}`,
      `${token}:${clientId}`,
      "ü:€",
    ),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  const notBase64 = fc.constantFrom(
    "!!!",
    "====",
    "YWJj*",
    "YQ",
    "a",
    "_-_-",
    "\u00e9",
    "%3A",
    "A".repeat(4_000),
  );
  const invalid = fc.oneof(
    wrongToken.map((wrong) => `Bearer ${wrong}`),
    wrongPair.map((pair) => `Basic ${base64(pair)}`),
    notBase64.map((text) => `Basic ${text}`),
    fc.constantFrom(
      "",
      "Bearer",
      "Basic",
      `Bearer${token}`,
      `Bearer ${token} x`,
      token,
      `Token ${token}`,
    ),
    fc.constantFrom(
      `Bearer\t${token}`,
      `Bearer: ${token}`,
      `Digest username="x"`,
      `Bearer ${token};q=1`,
    ),
    headerText,
  );
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((one) => ({ headers: [one], areValid: true })) },
    { weight: 3, arbitrary: invalid.map((one) => ({ headers: [one], areValid: false })) },
    { weight: 1, arbitrary: fc.constant<Credentials>({ headers: [], areValid: false }) },
    {
      // Two headers are two answers to "who are you", whatever they say.
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(valid, invalid), fc.oneof(valid, invalid))
        .map((headers) => ({ headers, areValid: false })),
    },
  );
}

/** What HTTP lets into the value of a header: visible characters and spaces between them, Latin-1 included. */
const headerText: fc.Arbitrary<string> = fc
  .string({
    unit: fc.oneof(
      fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)),
    ),
    maxLength: 60,
  })
  .filter((text) => !/^\s*(?:bearer|basic)/i.test(text));

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
