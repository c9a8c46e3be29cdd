import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readJson } from "./read-json.ts";

const Anything = z.strictObject({ given: z.custom<unknown>(() => true) });
const read = (text: string) => readJson(Anything, Buffer.from(text));

describe("a body", () => {
  it("is read as it is, whatever it holds", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (given) => {
        const text = JSON.stringify({ given });
        expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
      }),
    );
  });

  // S2
  it("keeps keys that look like a prototype's as plain data", () => {
    const body = read('{"given":{"__proto__":{"admin":true},"constructor":1,"toString":"x"}}');
    const { given } = (body as { value: { given: object } }).value;
    expect(Object.keys(given)).toEqual(["__proto__", "constructor", "toString"]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  // S3
  it("is refused when it is nested too deeply, before anything walks it", () => {
    const nested = (depth: number, open = "[", close = "]") =>
      `{"given":${open.repeat(depth)}1${close.repeat(depth)}}`;
    expect(read(nested(33)).ok).toBe(true);
    for (const text of [
      nested(34),
      nested(60_000),
      nested(10_000, '{"\\t":', "}"),
      `{"given":${"[".repeat(120_000)}`,
    ])
      expect(read(text)).toEqual({ ok: false, message: expect.stringContaining("nested deeper") });
    expect(read(`{"given":"${"[{".repeat(1_000)}\\"${"[".repeat(100)}"}`).ok).toBe(true);
  });

  it("that is no JSON, or not what was asked for, is refused with the field at fault", () => {
    for (const text of ["", "{", "\0", "{'given':1}", '{"given":1} x', "{given:1}"])
      expect(read(text)).toEqual({ ok: false, message: expect.stringContaining("not JSON") });
    for (const text of ["null", "[]", "1", '"given"'])
      expect(read(text)).toEqual({ ok: false, message: expect.stringContaining("not an object") });
    expect(read('{"given":1,"other":2}')).toMatchObject({ ok: false, parameter: "other" });
    const Deep = z.strictObject({ outer: z.strictObject({ inner: z.string() }) });
    expect(readJson(Deep, Buffer.from('{"outer":{"inner":1}}'))).toMatchObject({
      ok: false,
      parameter: "outer",
    });
  });

  it("never makes it throw", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        readJson(Anything, Buffer.from(bytes));
      }),
    );
  });
});
