import type { SdkErrorBody, SessionStart } from "@svc/contract/types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createService } from "../core/service.ts";
import { newStartKey, startSession } from "./start-session.ts";

vi.mock("./load-chunk.ts", () => ({
  loadChunk: async (): Promise<unknown> => ({
    // Of the chunk that solves challenges, whose file the build names.
    readRefusal: async (response: Response, sent: SessionStart): Promise<unknown> => {
      const { error } = (await response.json()) as SdkErrorBody;
      if (error.challenge === undefined) return { refused: error.code };
      sent.challenge_solution = "solved";
      throw new Error("solved");
    },
  }),
}));

const asked: SessionStart[] = [];
let answers: (() => Response)[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (_address: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body) as SessionStart);
    return answers[asked.length - 1]!();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const START: SessionStart = {
  agent_id: "agent_a",
  start_key: newStartKey(),
  mode: "text",
  language: "en",
  metadata: {},
  page: "https://example.com/",
  notice: { text: "You talk with an AI.", language: "en", accepted_at: "2026-11-15T12:00:00Z" },
};

const lost = (): Response => {
  throw new TypeError("Failed to fetch");
};
const refused = (status: number, code: string) => (): Response =>
  Response.json({ error: { code } }, { status });
const started = (): Response => Response.json({ session_id: "s1" });

async function start(...given: (() => Response)[]): Promise<unknown> {
  answers = given;
  const { request } = createService("https://api.example.com", "agent_a");
  const result = startSession(request, { ...START });
  await vi.runAllTimersAsync();
  return result;
}

test("what was asked is asked again, word for word, when the answer got lost", async () => {
  expect(await start(lost, refused(503, "unavailable"), started)).toEqual({ session_id: "s1" });
  expect(asked).toEqual([START, START, START]);
});

test("a session that is over makes way for a new one", async () => {
  expect(await start(refused(409, "ended"), started)).toEqual({ session_id: "s1" });
  const [first, second] = asked.map(({ start_key: key }) => key);
  expect(second).not.toBe(first);
});

test("a refusal with a reason is told at once", async () => {
  expect(await start(refused(429, "at_capacity"))).toEqual({ refused: "at_capacity" });
  expect(asked).toHaveLength(1);
});

test("a start whose challenge is solved is sent again with the solution", async () => {
  const challenged = (): Response =>
    Response.json({ error: { code: "too_many_starts", challenge: {} } }, { status: 429 });
  expect(await start(challenged, started)).toEqual({ session_id: "s1" });
  expect(asked).toEqual([START, { ...START, challenge_solution: "solved" }]);
});

test("a start key is a UUID, and never the same", () => {
  const keys = Array.from({ length: 1_000 }, newStartKey);
  expect(new Set(keys).size).toBe(1_000);
  for (const key of keys) {
    expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  }
});
