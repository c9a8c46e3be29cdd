import { describe, expect, it } from "vitest";
import { KeptSentences } from "./kept-sentences.ts";

describe("kept sentences", () => {
  it("make room for others, those said longest ago first", () => {
    const kept = new KeptSentences(2);
    kept.keep("ada", "one", []);
    kept.keep("ada", "two", []);
    kept.find("ada", "one");
    kept.keep("ada", "three", []);
    expect(kept.find("ada", "one")).toEqual([]);
    expect(kept.find("ada", "two")).toBeUndefined();
    expect(kept.find("ada", "three")).toEqual([]);
    expect(kept.find("bob", "three")).toBeUndefined();
  });
});
