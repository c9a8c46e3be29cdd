import { SESSION_FIELDS } from "@svc/contract/session-fields";
import fc from "fast-check";
import type { KnownAccount } from "./known-account.ts";
import type { Encoded, Parameter } from "./export-request.ts";

/** Query parameters from sound to senseless. */
export function nonsenseQueries(known: KnownAccount): fc.Arbitrary<Parameter[]> {
  const lastSecs = Math.floor(known.startedAtMs.at(-1)! / 1_000);
  const since = fc.oneof(
    fc.integer({ min: lastSecs - 100, max: lastSecs + 1 }).map(String),
    fc.constantFrom("0", "-0", "-1", "00", "007", "253402300799", "253402300800", "8640000000001"),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.constantFrom(2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n).map(String),
    nonsenseNumber,
  );
  const limit = fc.oneof(
    fc.integer({ min: 0, max: 120 }).map(String),
    fc.constantFrom("0", "00", "001", "100", "101", "2147483648", "9223372036854775808"),
    nonsenseNumber,
  );
  const fieldName = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<string>(...SESSION_FIELDS) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "ID", " id ", "*", "id;email", "account_id", "__proto__"),
    },
    { weight: 1, arbitrary: anyText },
  );
  const fields = fc.array(fieldName, { maxLength: 8 }).map((names) => names.join(","));
  const cursor = fc
    .constantFrom(...known.cursors.map(({ text }) => text))
    .chain((text) =>
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(text) },
        fc.constantFrom(`${text}!`, `${text}=`, text.slice(0, -3), text.toUpperCase(), text + text),
        fc.constantFrom("", "0", "null", "undefined", ".", "a".repeat(5_000)),
        anyText,
      ),
    );
  const unknownName = fc.oneof(
    fc.constantFrom("Since", "limit[]", "limit ", "offset", "__proto__", "constructor", ""),
    anyText,
  );
  const parameter = fc.oneof(
    { weight: 4, arbitrary: named("since", since) },
    { weight: 4, arbitrary: named("limit", limit) },
    { weight: 4, arbitrary: named("fields", fields) },
    { weight: 2, arbitrary: named("cursor", cursor) },
    { weight: 1, arbitrary: fc.record({ name: encoded(unknownName), value: encoded(anyText) }) },
  );
  return fc.array(parameter, { maxLength: 4 });
}

const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
  fc.constantFrom(
    "'; DROP TABLE sessions; --",
    "${jndi:ldap://x}",
    "../../etc/passwd",
    "\r\nSet-Cookie: a=b",
  ),
);

const nonsenseNumber: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "-",
    "+5",
    " 5",
    "5 ",
    "5\n",
    "1.5",
    "1.0",
    "1e2",
    "0x10",
    "1_000",
    "1,000",
  ),
  fc.constantFrom("٣", "５", "²", "Ⅳ", "NaN", "Infinity", "null", "true", "[]", "--5", "5\0", "\0"),
  fc
    .tuple(fc.constantFrom("", "-"), fc.integer({ min: 15, max: 3_000 }))
    .map(([sign, digits]) => sign + "9".repeat(digits)),
  fc
    .tuple(fc.constantFrom("", "-"), fc.integer({ min: 1, max: 3_000 }))
    .map(([sign, digits]) => `${sign}${"0".repeat(digits)}7`),
  anyText,
);

/** Escapes that are broken, or not UTF-8, and what they stand for. */
const oddEscapes: Encoded[] = [
  { raw: "%", text: "%" },
  { raw: "%4", text: "%4" },
  { raw: "%zz", text: "%zz" },
  { raw: "%u0035", text: "%u0035" },
  { raw: "%ff", text: "\ufffd" },
  { raw: "%c0%80", text: "\ufffd\ufffd" },
  { raw: "%00", text: "\0" },
  { raw: "+", text: " " },
  { raw: "?", text: "?" },
  { raw: "#", text: "#" },
];

const ways: ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll("%20", "+"),
  (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&"),
  (text) => Buffer.from(text).toString("hex").toUpperCase().replaceAll(/../g, "%$&"),
];

function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<Encoded> {
  const whole = fc
    .tuple(text, fc.constantFrom(...ways))
    .map(([one, write]) => ({ raw: write(one), text: one }));
  const broken = fc
    .tuple(whole, fc.constantFrom(...oddEscapes))
    .map(([one, odd]) => ({ raw: one.raw + odd.raw, text: one.text + odd.text }));
  return fc.oneof({ weight: 12, arbitrary: whole }, { weight: 1, arbitrary: broken });
}

function named(name: string, text: fc.Arbitrary<string>): fc.Arbitrary<Parameter> {
  const nameInAnyWay = fc.constantFrom(...ways).map((write) => ({ raw: write(name), text: name }));
  return fc.record({
    name: nameInAnyWay,
    value: fc.option(encoded(text), { nil: undefined, freq: 30 }),
  });
}
