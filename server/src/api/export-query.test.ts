import { SESSION_FIELDS } from "@svc/contract/session-fields";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCursor, parseExportQuery } from "./export-query.ts";

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const since = (at: string) => ({ after: { at, id: LAST_ID } });
const refused = (parameter: string) => ({
  ok: false,
  parameter,
  message: expect.stringContaining(`"${parameter}"`),
});

describe("since", () => {
  it.each([
    ["", "1970-01-01T00:00:00.000Z"],
    ["since=0", "1970-01-01T00:00:00.000Z"],
    ["since=-0", "1970-01-01T00:00:00.000Z"],
    ["since=1767225600", "2026-01-01T00:00:00.000Z"],
    ["since=0000000001767225600", "2026-01-01T00:00:00.000Z"],
    ["since=-1", "1970-01-01T00:00:00.000Z"],
    ["since=-9223372036854775808", "1970-01-01T00:00:00.000Z"],
    ["since=9223372036854775807", "9999-12-31T23:59:59.000Z"],
    ["since=253402300800", "9999-12-31T23:59:59.000Z"],
    ["since=%31", "1970-01-01T00:00:01.000Z"],
  ])("%s means sessions after %s", (search, at) => {
    expect(parseExportQuery(search)).toMatchObject({ ok: true, ...since(at) });
  });

  it.each([
    "since=",
    "since",
    "since=1.5",
    "since=1e9",
    "since=+5",
    "since=%2B5",
    "since=%205",
    "since=5%0A",
    "since=0x10",
    "since=--5",
    "since=2026-01-01",
    "since=%D9%A3",
    "since=9223372036854775808",
    "since=-9223372036854775809",
    `since=${"9".repeat(10_000)}`,
    "since=null",
    "since=5&since=5",
  ])("%s is refused", (search) => {
    expect(parseExportQuery(search)).toEqual(refused("since"));
  });
});

describe("limit", () => {
  it.each([
    ["", 100],
    ["limit=1", 1],
    ["limit=007", 7],
    ["limit=100", 100],
    ["limit=101", 100],
    [`limit=${"9".repeat(10_000)}`, 100],
    [`limit=${"0".repeat(10_000)}5`, 5],
  ])("%s means at most %d", (search, limit) => {
    expect(parseExportQuery(search)).toMatchObject({ ok: true, limit });
  });

  it.each([
    "limit=0",
    "limit=000",
    "limit=",
    "limit",
    "limit=-1",
    "limit=1.5",
    "limit=1e2",
    "limit=+5",
    "limit=%D9%A3",
    "limit=ten",
    "limit=5&limit=5",
  ])("%s is refused", (search) => {
    expect(parseExportQuery(search)).toEqual(refused("limit"));
  });
});

describe("fields", () => {
  it.each([
    ["", SESSION_FIELDS],
    ["fields=", SESSION_FIELDS],
    ["fields", SESSION_FIELDS],
    ["fields=status,id", ["status", "id"]],
    ["fields=%20status%20,%09id", ["status", "id"]],
    ["fields=id,status,id", ["id", "status"]],
    ["fields=id&fields=status", ["id", "status"]],
    ["fields=id,unknown,,status", ["id", "status"]],
    ["fields=ID,Status", []],
    ["fields=transcripts", []],
    ["fields=,", []],
    ["fields=,,,", []],
    ["fields=&fields=", []],
    ["fields=__proto__,constructor,toString", []],
    ["fields=id%00", []],
  ])("%s selects %j", (search, fields) => {
    expect(parseExportQuery(search)).toMatchObject({ ok: true, fields });
  });
});

describe("cursor", () => {
  const position = fc.record({
    at: fc
      .date({ min: new Date(0), max: new Date(99_999_999_999_999), noInvalidDate: true })
      .map((at) => at.toISOString()),
    id: fc.uuid(),
  });

  it("leads back to the position it was made from, whatever since says", () => {
    fc.assert(
      fc.property(position, fc.constantFrom("", "&since=5"), (after, more) => {
        expect(parseExportQuery(`cursor=${formatCursor(after)}${more}`)).toMatchObject({
          ok: true,
          after,
        });
      }),
    );
  });

  it.each([
    "cursor=",
    "cursor",
    "cursor=x",
    "cursor=MTIz",
    "cursor=!!!",
    `cursor=${"A".repeat(5_000)}`,
    "cursor=a&cursor=b",
  ])("%s is refused", (search) => {
    expect(parseExportQuery(search)).toEqual(refused("cursor"));
  });

  it.each(["9".repeat(15), "-1", "1e3", "1.5", ""])("of the time %j is refused", (ms) => {
    const cursor = `${ms}.00000000-0000-7000-8000-000000000000`;
    expect(parseExportQuery(`cursor=${cursor}`)).toEqual(refused("cursor"));
  });

  it("that was tampered with is refused or some position, and can carry nothing else", () => {
    const cursor = formatCursor({
      at: "2026-01-01T00:00:00.001Z",
      id: "00000000-0000-7000-8000-000000000000",
    });
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
        const query = parseExportQuery(
          `cursor=${encodeURIComponent(cursor.slice(0, at) + text + cursor.slice(at + 1))}`,
        );
        if (!query.ok) return query.parameter === "cursor";
        const { at: stamp, id } = query.after;
        return (
          new Date(stamp).toISOString() === stamp &&
          /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
        );
      }),
    );
  });
});

describe("any query", () => {
  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.integer({ min: -2, max: 120 }).map(String),
    fc.constantFrom(
      "",
      "0",
      "00",
      "1.0",
      "1e1",
      " 1",
      "+1",
      "٣",
      "9223372036854775807",
      "9223372036854775808",
    ),
    fc.string({ maxLength: 5 }),
  );
  const fields = fc
    .array(fc.oneof(fc.constantFrom(...SESSION_FIELDS), fc.constantFrom("", " id ", "Id", "x")), {
      maxLength: 4,
    })
    .map((names) => names.join(","));
  const pair = fc.oneof(
    fc.tuple(fc.constantFrom("since", "limit"), number),
    fc.tuple(fc.constant("fields"), fields),
    fc.tuple(fc.constantFrom("Since", "limits", "", "utm_source"), fc.string()),
  );

  it("is read as an independent reading of the documentation reads it", () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const search = pairs
          .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
          .join("&");
        const query = parseExportQuery(search);
        const understood = query.ok
          ? { afterMs: Date.parse(query.after.at), limit: query.limit, fields: query.fields }
          : query.parameter;
        const faulty = faultyParameters(pairs);
        expect(faulty.length === 0 ? [documented(pairs)] : faulty).toContainEqual(understood);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throws, however it is written", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (search) => typeof parseExportQuery(search).ok === "boolean",
      ),
    );
    for (const search of [
      "%",
      "since=%",
      "since=%FF",
      "&&&===",
      "?since=5",
      "since=5#x",
      "limit=%u0031",
    ])
      parseExportQuery(search);
  });
});

function valuesOf(pairs: [string, string][], name: string): string[] {
  return pairs.filter(([one]) => one === name).map(([, value]) => value);
}

function faultyParameters(pairs: [string, string][]): string[] {
  const onlyDigits = (text: string): boolean =>
    text !== "" && Array.from(text).every((char) => char >= "0" && char <= "9");
  const [sinces, limits] = [valuesOf(pairs, "since"), valuesOf(pairs, "limit")];
  const isSince = (text: string): boolean => {
    if (!onlyDigits(text.startsWith("-") ? text.slice(1) : text)) return false;
    return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  };
  return [
    ...(sinces.length > 1 || !sinces.every(isSince) ? ["since"] : []),
    ...(limits.length > 1 || !limits.every((text) => onlyDigits(text) && BigInt(text) > 0n)
      ? ["limit"]
      : []),
  ];
}

function documented(pairs: [string, string][]): object {
  const secs = Number(valuesOf(pairs, "since")[0] ?? "0");
  return {
    afterMs: Math.min(Math.max(secs, 0), 253_402_300_799) * 1_000,
    limit: Math.min(Number(valuesOf(pairs, "limit")[0] ?? "100"), 100),
    fields: documentedFields(valuesOf(pairs, "fields")),
  };
}

function documentedFields(given: string[]): readonly string[] {
  const names = given.flatMap((text) => text.split(","));
  if (given.length === 0 || (given.length === 1 && given[0] === "")) return SESSION_FIELDS;
  const wanted = names.map((name) => name.trim());
  return wanted.filter(
    (name, at) =>
      wanted.indexOf(name) === at && (SESSION_FIELDS as readonly string[]).includes(name),
  );
}
