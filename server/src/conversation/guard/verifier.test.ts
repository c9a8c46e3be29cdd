import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { agentUnderTest } from "../state/agent-under-test.ts";
import { Verifier } from "./verifier.ts";
import type { VerifierOptions } from "./verifier.ts";

/** Answers by the list; a number is a delay in milliseconds before "ok". */
function verifierOf(
  answers: (string | number | Error)[],
  { agent = agentUnderTest(), searchKnowledge = async () => [] }: Partial<VerifierOptions> = {},
) {
  const asked: string[] = [];
  const verifier = new Verifier({
    agent,
    searchKnowledge,
    charge: () => () => {},
    async ask({ messages, signal }) {
      asked.push(String(messages.at(-1)?.content));
      const answer = answers[asked.length - 1] ?? "ok";
      if (answer instanceof Error) throw answer;
      if (typeof answer === "string") return answer;
      await delay(answer, undefined, { signal });
      return "ok";
    },
  });
  const check = (isSuspicious = false, withinMs = 1_000) =>
    verifier.check(
      { visitor: "", answered: {}, page: {}, date: "", before: [], sentence: "x", calculated: [] },
      { isSuspicious, withinMs, signal: new AbortController().signal },
    );
  return { check, asked };
}

describe("a sentence", () => {
  it("passes when three say so, whatever stands around the word", async () => {
    const { check, asked } = verifierOf(["OK.", " ok\n", "ok"]);
    expect(await check()).toBe("ok");
    expect(asked).toHaveLength(3);
  });

  it("is decided where one side leads by three, or by the majority of seven", async () => {
    const secret = ["ok", "secret", "secret", "secret", "secret"];
    expect(await verifierOf(secret).check()).toBe("secret");
    expect(await verifierOf(["invented", "ok", "ok", "ok", "ok"]).check()).toBe("ok");
    const close = verifierOf(["ok", "human", "human", "ok", "human", "ok", "human"]);
    expect(await close.check()).toBe("human");
    expect(close.asked).toHaveLength(7);
  });

  it("that is suspicious needs three, and nobody against it", async () => {
    expect(await verifierOf(["ok", "ok", "invented"]).check(true)).toBe("invented");
    expect(await verifierOf(["ok", "ok", "ok"]).check(true)).toBe("ok");
    expect(
      await verifierOf(["ok", "no idea", "?", "?", "ok", "?", "?"]).check(true),
    ).toBeUndefined();
  });

  it("is checked for as long as its time says, fractions of a millisecond included", async () => {
    expect(await verifierOf([]).check(false, 400.5)).toBe("ok");
  });

  // P1
  it("has no verdict while the knowledge that it is judged by cannot be searched", async () => {
    const agent = { ...agentUnderTest(), knowledge: [{ name: "a", text: "word ".repeat(6_000) }] };
    const away = { agent, searchKnowledge: () => Promise.reject(new Error("away")) };
    expect(await verifierOf([], away).check()).toBeUndefined();
    const hanging = { agent, searchKnowledge: () => new Promise<never>(() => {}) };
    expect(await verifierOf([], hanging).check(false, 50)).toBeUndefined();
  });

  it("does not wait for one that is held up", async () => {
    const { check, asked } = verifierOf([60_000, "ok", "ok"]);
    const startedMs = performance.now();
    expect(await check()).toBe("ok");
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect(asked).toHaveLength(4);
  });

  it("has no verdict when nobody answers in time, and the only one where one does", async () => {
    const away = new Error("away");
    const late = 60_000;
    const all = <T>(answer: T): T[] => Array.from({ length: 7 }, () => answer);
    expect(await verifierOf(all(late)).check(false, 400)).toBeUndefined();
    expect(await verifierOf(all(away)).check()).toBeUndefined();
    expect(await verifierOf([late, "human", late, late]).check(false, 400)).toBe("human");
    expect(await verifierOf([late, "ok", late, late]).check(false, 400)).toBe("ok");
    expect(await verifierOf(["ok", "human", late, late]).check(false, 400)).toBe("human");
    expect(await verifierOf([late, "ok", late, late]).check(true, 400)).toBeUndefined();
  });
});
