import { describe, expect, it } from "vitest";
import { ModelAway, NO_USAGE } from "#models";
import type { LanguageModel } from "#models";
import { CONVERSATION, RUBRIC } from "../check/check-under-test.ts";
import { verifyClaims } from "./claim-verifier.ts";
import type { Claim } from "./claims-prompt.ts";
import { modelUnderTest, readDocument } from "./verifier-under-test.ts";

const claim = (where: string, more: Partial<Claim> = {}): Claim => ({
  where,
  kind: "objection",
  about: "What they need",
  says: "speed",
  quotes: [{ turn: 4, quote: "honestly it's slow" }],
  notFound: [],
  ...more,
});

const verify = (claims: Claim[], first: LanguageModel): Promise<Set<string>> =>
  verifyClaims(claims, {
    models: { first, fallback: undefined },
    rubric: RUBRIC,
    conversation: { ...CONVERSATION, date: "2025-11-16" },
    signal: new AbortController().signal,
  });

const many = (count: number, more: Partial<Claim> = {}): Claim[] =>
  Array.from({ length: count }, (_, index) => claim(`c${index}`, more));

describe("opinions about claims", () => {
  it("are three where all agree, with all claims in each", async () => {
    const model = modelUnderTest(
      () => ({}),
      ({ field }) => field !== "c2",
    );
    expect(await verify(many(4), model)).toEqual(new Set(["c0", "c1", "c3"]));
    expect(model.requests).toHaveLength(3);
    expect(model.requests.every(({ name }) => name === "claims")).toBe(true);
  });

  it("are asked for in other words each time, with what a reader needs", async () => {
    const model = modelUnderTest(() => ({}));
    await verify(many(4, { notFound: ["500"] }), model);
    const documents = model.requests.map(readDocument);
    const orders = documents.map(({ claims }) => claims.map(({ field }) => field).join(" "));
    expect(new Set(orders).size).toBe(orders.length);
    expect(documents[0]).toMatchObject({ date: "2025-11-16", metadata: CONVERSATION.metadata });
    expect(documents[0]?.transcript).toHaveLength(CONVERSATION.turns.length);
    expect(documents[0]?.claims[0]).toMatchObject({ not_found: ["500"], about: "What they need" });
  });

  it("are outvoted where they err: one in ten loses next to nothing and lets next to nothing pass", async () => {
    const isTrue = (field: string): boolean => Number(field.slice(1)) % 2 === 0;
    const doubtful = many(2_000, { kind: "criterion" });
    const model = modelUnderTest(
      () => ({}),
      ({ field }) => isTrue(field),
      { wrongShare: 0.1 },
    );
    const shown = await verify(doubtful, model);
    const wrong = doubtful.filter(({ where }) => shown.has(where) !== isTrue(where));
    expect(wrong.length).toBeLessThanOrEqual(4);
    const single = modelUnderTest(
      () => ({}),
      () => true,
      { wrongShare: 0.1 },
    );
    const { text } = await single.ask({ ...model.requests[0]! });
    expect(text.match(/"no"/g)?.length).toBeGreaterThan(0);
  });

  it("are no opinions where they cannot be read, and a verifier without any is no verifier", async () => {
    const saying = (text: string): LanguageModel => ({
      name: "odd",
      isThere: async () => true,
      ask: async () => ({ text, usage: NO_USAGE }),
    });
    await expect(verify(many(2), saying("Certainly!"))).rejects.toThrow("no opinion");
    expect(await verify(many(2), saying('```json\n{"1":"Yes","2":"yes "}\n```'))).toEqual(
      new Set(["c0", "c1"]),
    );
    expect(await verify([], saying(""))).toEqual(new Set());
  });

  it("are waited for: a verifier that is away is a model that is away", async () => {
    const away: LanguageModel = {
      name: "away",
      isThere: async () => false,
      ask: () => Promise.reject(new ModelAway("gone")),
    };
    await expect(verify(many(1), away)).rejects.toThrow(ModelAway);
  });
});
