import { describe, expect, it } from "vitest";
import { says, scenarioOf, stageUnderTest } from "./conversation-under-test.ts";
import { rehearse } from "./rehearse.ts";

const scenarios = ["a", "b", "c", "d", "e"].map((name) => scenarioOf(["Hi"], { name }));

describe("a rehearsal", () => {
  it("plays every scenario once, so many at a time, and answers in their order", async () => {
    const stage = stageUnderTest([says("Well.")]);
    let [running, maxRunning] = [0, 0];
    const done: number[] = [];
    const played = await rehearse(scenarios, {
      ...stage,
      startConversation: async (options) => {
        maxRunning = Math.max(maxRunning, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        const conversation = await stage.startConversation(options);
        return { ...conversation, close: async () => void (running -= 1) };
      },
      atOnce: 2,
      onPlayed: (count) => done.push(count),
    });
    expect(played.map(({ scenario }) => scenario.name)).toEqual(["a", "b", "c", "d", "e"]);
    expect([maxRunning, running, done]).toEqual([2, 0, [1, 2, 3, 4, 5]]);
  });

  it("refuses to call it a result when no model answered", async () => {
    const stage = stageUnderTest([
      (listener) => {
        listener.event("model_failed", { model: "first", why: "answered 401" });
        says("One moment, please.")(listener, "");
      },
    ]);
    await expect(
      rehearse(scenarios, { ...stage, atOnce: 8, onPlayed: () => {} }),
    ).rejects.toMatchObject({
      code: "conflict",
      what: "The model left every visitor without an answer.",
    });
    expect(await rehearse([], { ...stage, atOnce: 8, onPlayed: () => {} })).toEqual([]);
  });
});
