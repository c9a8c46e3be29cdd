import { describe, expect, it } from "vitest";
import { repeatsWords } from "./repeated-words.ts";
import { Source } from "./source.ts";

describe("repeated words", () => {
  const criteria = [
    new Source("A team of ten or more, with a budget."),
    new Source("团队有十个人以上并且有预算"),
  ];

  it("are five in a row", () => {
    expect(repeatsWords("You have a TEAM of ten — or fewer.", criteria)).toBe(true);
    expect(repeatsWords("You have a team of ten people.", criteria)).toBe(false);
    expect(repeatsWords("Ten or more with a plan", criteria)).toBe(true);
    expect(repeatsWords("ten", criteria)).toBe(false);
  });

  it("do not count where another text allows them", () => {
    const allowed = [new Source("We help a team of ten or more.")];
    expect(repeatsWords("You have a team of ten or more.", criteria, 5, allowed)).toBe(false);
    expect(repeatsWords("Ten or more, with a budget.", criteria, 5, allowed)).toBe(true);
  });

  it("are ten characters where a script has no spaces", () => {
    expect(repeatsWords("您的团队有十个人以上并且有预算。", criteria)).toBe(true);
    expect(repeatsWords("您的团队有十个人。", criteria)).toBe(false);
  });
});
