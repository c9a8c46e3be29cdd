import type { Evaluation } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evaluationColumn,
  metadataColumn,
  textColumn,
  transcriptColumn,
  withoutEmpty,
} from "./session-object.ts";

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function everyValue(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return [value, ...Object.values(value).flatMap(everyValue)];
}

const anything = fc.anything({
  withNullPrototype: false,
  values: [
    fc.string(),
    fc.constant(""),
    fc.boolean(),
    fc.double(),
    fc.constant(0),
    fc.constant(null),
    fc.constant(undefined),
  ],
});

describe("what is empty", () => {
  it("is left out at every depth, in objects and in lists", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const left = withoutEmpty(value);
        if (left === undefined) return;
        const written: unknown = JSON.parse(JSON.stringify(left));
        expect(everyValue(written).filter(isEmpty)).toEqual([]);
      }),
    );
  });

  it("is nothing else: what has a value stays, false and 0 included", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const hasValue = (one: unknown): boolean =>
          typeof one === "boolean" ||
          (typeof one === "number" && Number.isFinite(one)) ||
          (typeof one === "string" && one !== "");
        expect(everyValue(withoutEmpty(value)).filter(hasValue)).toEqual(
          everyValue(value).filter(hasValue),
        );
      }),
    );
  });

  it("leaves nothing at all when nothing has a value", () => {
    for (const nothing of [
      null,
      undefined,
      "",
      [],
      {},
      [[], {}, [null]],
      { a: { b: { c: "" } } },
    ]) {
      expect(withoutEmpty(nothing)).toBeUndefined();
    }
  });
});

describe("an evaluation", () => {
  it("keeps a question that was neither asked nor answered", () => {
    const evaluation: Evaluation = {
      language: "en",
      customer_name: "",
      questions: { budget: { was_asked: false, was_answered: false, answer: "" } },
      insights: {},
      objections: [],
    };
    expect(evaluationColumn(evaluation)).toBe(
      '{"language":"en","questions":{"budget":{"was_asked":false,"was_answered":false}}}',
    );
  });

  it("is absent when nothing is left of it", () => {
    expect(evaluationColumn({ summary: "", questions: {} })).toBeNull();
  });

  // S2
  it("keeps keys such as __proto__ as data, and replaces what cannot be stored", () => {
    const evaluation = JSON.parse(
      '{"insights":{"__proto__":{"value":"a\\u0000","evidence":"\\ud800"}}}',
    ) as Evaluation;
    expect(evaluationColumn(evaluation)).toBe(
      '{"insights":{"__proto__":{"value":"a\uFFFD","evidence":"\uFFFD"}}}',
    );
  });
});

describe("metadata", () => {
  it("is never looked into", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }), (metadata) => {
        expect(metadataColumn(metadata)).toBe(JSON.stringify(metadata));
      }),
    );
    expect(metadataColumn({ a: "", b: "null", c: "{}", d: "[]" })).toBe(
      '{"a":"","b":"null","c":"{}","d":"[]"}',
    );
  });

  it("is absent when the site passed none", () => {
    expect(metadataColumn({})).toBeNull();
  });
});

describe("a transcript", () => {
  it("says interrupted only where it is true", () => {
    const turns = [
      { role: "assistant", content: "Hello, I", interrupted: true },
      { role: "user", content: "Hi", interrupted: false },
    ] as const;
    expect(transcriptColumn([...turns])).toBe(
      '[{"role":"assistant","content":"Hello, I","interrupted":true},{"role":"user","content":"Hi"}]',
    );
  });

  it("keeps two assistant turns that follow each other", () => {
    const turn = { role: "assistant", content: "One moment.", interrupted: false } as const;
    expect(JSON.parse(transcriptColumn([turn, turn])!)).toHaveLength(2);
  });

  it("is absent when nothing was said", () => {
    expect(transcriptColumn([])).toBeNull();
  });
});

it("a summary is absent when it is empty", () => {
  expect(textColumn("")).toBeNull();
  expect(textColumn(undefined)).toBeNull();
  expect(textColumn(" ")).toBe(" ");
});
