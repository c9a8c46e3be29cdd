import { describe, expect, it } from "vitest";
import { OneByOne } from "./one-by-one.ts";

describe("work of one key", () => {
  it("follows one another in order, and other keys go beside it", async () => {
    const queue = new OneByOne(10);
    const log: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = queue.run(1, async () => {
      await held.promise;
      log.push("first");
    });
    const second = queue.run(1, async () => void log.push("second"));
    await queue.run(2, async () => void log.push("other"));
    held.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(["other", "first", "second"]);
  });

  it("goes on after a failure, which only its own caller sees", async () => {
    const queue = new OneByOne(10);
    const failed = queue.run(1, () => Promise.reject(new Error("no")));
    const next = queue.run(1, async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("is refused when too much waits, and taken again once it is done", async () => {
    const queue = new OneByOne(2);
    const held = Promise.withResolvers<void>();
    const waiting = [queue.run(1, () => held.promise), queue.run(1, () => held.promise)];
    await expect(queue.run(1, async () => {})).rejects.toMatchObject({ code: "unavailable" });
    held.resolve();
    await Promise.all(waiting);
    expect(await queue.run(1, async () => "done")).toBe("done");
  });
});
