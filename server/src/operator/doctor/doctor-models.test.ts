import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startRehearsedModels } from "#testing";
import { AppError } from "#platform";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "./check.ts";
import { judgeModels, modelChecks } from "./doctor-models.ts";
import type { ModelPlaces } from "../operator.ts";
import { operatorUnderTest } from "../command-line-under-test.ts";

const place = (name: string, url: string): ModelPlaces["first"] => ({
  name,
  url,
  key: "canary",
  timeoutMs: 1_000,
  price: { input: 0, output: 0 },
});
const places: ModelPlaces = {
  first: place("large", "https://ada:canary@models.example.com/v1?key=canary"),
  fallback: place("small", "http://127.0.0.1:8081/v1"),
};
const large = { name: "large", trouble: undefined, isListed: true };
const small = { name: "small", trouble: undefined, isListed: true };
const trouble = "answered 401 (invalid_api_key)";

/** What the checks of both purposes find, by these models for both purposes. */
async function examine(given: ModelPlaces | undefined): Promise<Finding[]> {
  const operator = operatorUnderTest({
    modelPlaces: () => ({ conversation: given, evaluation: given }),
  });
  return Promise.all(modelChecks.slice(0, 2).map((check) => check.look(operator)));
}

describe("the doctor, asking for models,", () => {
  it("tells which, where, and that they answer, and no key", () => {
    const found = judgeModels("conversation", [large, small], places);
    expect(found).toEqual({
      state: "ok",
      says: "large at https://models.example.com/v1: answers; small, the fallback, at http://127.0.0.1:8081/v1: answers",
    });
  });

  it("warns while one of two answers, and fails when none does", () => {
    expect(judgeModels("conversation", [{ ...large, trouble }, small], places)).toMatchObject({
      state: "warn",
      says: expect.stringContaining("large at https://models.example.com/v1: answered 401"),
      fix: "Check SVC_MODEL_URL, SVC_MODEL_KEY.",
    });
    expect(judgeModels("evaluation", [large, { ...small, trouble }], places)).toMatchObject({
      state: "warn",
      fix: "Check SVC_FALLBACK_MODEL_URL, SVC_FALLBACK_MODEL_KEY.",
    });
    expect(judgeModels("conversation", [{ ...large, trouble }], places)).toMatchObject({
      state: "fail",
      fix: "Check SVC_MODEL_URL, SVC_MODEL_KEY. Until then every visitor is refused.",
    });
    expect(judgeModels("evaluation", [{ ...large, trouble }], places)).toMatchObject({
      state: "fail",
      fix: expect.stringContaining("sessions settle as errors"),
    });
  });

  it("warns of a name that the provider does not list, by its variable", () => {
    const unlisted = [
      { ...large, isListed: false },
      { ...small, isListed: false },
    ];
    expect(judgeModels("conversation", unlisted, places)).toMatchObject({
      state: "warn",
      says: expect.stringContaining("v1: answers, but does not list this model; small, the"),
      fix: "Check SVC_CONVERSATION_MODEL, SVC_CONVERSATION_FALLBACK_MODEL.",
    });
    expect(judgeModels("evaluation", unlisted, places).fix).toBe(
      "Check SVC_EVALUATION_MODEL, SVC_EVALUATION_FALLBACK_MODEL.",
    );
  });

  it("asks the provider itself, at no cost", async () => {
    const { rehearsal } = await startRehearsedModels();
    onTestFinished(() => rehearsal.close());
    const named = (name: string): ModelPlaces => ({
      first: place(name, rehearsal.baseUrl),
      fallback: undefined,
    });
    expect((await examine(named("rehearsal"))).map(({ state }) => state)).toEqual(["ok", "ok"]);
    expect((await examine(named("rehersal"))).map(({ state }) => state)).toEqual(["warn", "warn"]);
    expect(rehearsal.requests().recent).toEqual([]);
    await rehearsal.setFaults([{ kind: "refuse" }]);
    expect((await examine(named("rehearsal"))).map(({ state }) => state)).toEqual(["fail", "fail"]);
  });

  it("finds nothing ill where no model is set up", async () => {
    expect(await examine(undefined)).toEqual([
      { state: "ok", says: expect.stringContaining("SVC_CONVERSATION_MODEL") },
      { state: "ok", says: expect.stringContaining("SVC_EVALUATION_MODEL") },
    ]);
  });

  it("warns of a setting for a model that is not used", async () => {
    const look = (unused: { variable: string; model: string }[]): Promise<Finding> =>
      modelChecks.at(-1)!.look(operatorUnderTest({ unusedModelNames: () => unused }));
    expect((await look([])).state).toBe("ok");
    expect(await look([{ variable: "SVC_MODEL_PRESETS", model: "lagre" }])).toEqual({
      state: "warn",
      says: "no model in use has this name, so the setting does nothing: lagre in SVC_MODEL_PRESETS",
      fix: expect.stringContaining("SVC_CONVERSATION_MODEL"),
    });
  });

  it("leaves a mistake in the configuration to its own check", async () => {
    const modelPlaces = (): never => {
      throw new AppError("invalid_input", { what: "", why: "", fix: "" });
    };
    const [unusedModelNames, embeddingPlace] = [modelPlaces, modelPlaces];
    for (const check of modelChecks)
      expect(
        (await check.look(operatorUnderTest({ modelPlaces, unusedModelNames, embeddingPlace })))
          .state,
      ).toBe("skip");
  });
});

it("the doctor, asking for embeddings, says how many numbers come, and warns of a server that has none", async () => {
  const standIn = createServer((request, response) => {
    response.writeHead(request.url === "/v1/embeddings" ? 200 : 404, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [0, 3, 4] }] }));
  });
  await once(standIn.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void standIn.close());
  const origin = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  const { look } = modelChecks.find(({ name }) => name === "embedding model")!;
  const at = (url: string): Promise<Finding> =>
    look(operatorUnderTest({ embeddingPlace: () => ({ ...place("near", url) }) }));
  expect(await at(`${origin}/v1`)).toMatchObject({
    state: "ok",
    says: expect.stringMatching(/^near at .*: answers with 3 numbers in \d+ ms$/),
  });
  expect(await at(`${origin}/v2`)).toMatchObject({
    state: "warn",
    fix: expect.stringContaining("SVC_EMBEDDINGS_URL"),
  });
  expect(await look(operatorUnderTest({}))).toMatchObject({ state: "ok" });
});
