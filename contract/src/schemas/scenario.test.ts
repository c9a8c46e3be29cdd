import { describe, expect, it } from "vitest";
import { ScenarioFile, spokenPattern } from "./scenario.ts";

const complaints = (file: unknown): string[] =>
  (ScenarioFile.safeParse(file).error?.issues ?? []).map((issue) => issue.path.join("."));

const visitor = { says: ["Hello"] };

describe("a scenario file", () => {
  it("needs a name and a visitor, and nothing else", () => {
    expect(complaints({ name: "A", visitor })).toEqual([]);
    expect(complaints({ name: "A", visitor: { persona: { wants: "A price." } } })).toEqual([]);
    expect(complaints({}).toSorted()).toEqual(["name", "visitor"]);
  });

  it("has a visitor with a script or a persona, never both or neither", () => {
    const persona = { wants: "A price." };
    expect(complaints({ name: "A", visitor: { ...visitor, persona } })).toEqual(["visitor"]);
    expect(complaints({ name: "A", visitor: {} })).toEqual(["visitor"]);
  });

  it("takes a line that is said, or one thing to do with a card", () => {
    const said = (line: unknown): string[] => complaints({ name: "A", visitor: { says: [line] } });
    const good = [
      "Hello",
      { confirms_email: "ada@example.com" },
      { dismisses_card: true },
      { quick_reply: "Yes" },
    ];
    expect(good.flatMap(said)).toEqual([]);
    const bad = [
      "",
      7,
      {},
      { confirms_email: "ada" },
      { dismisses_card: false },
      { dismisses_card: true, quick_reply: "Yes" },
    ];
    expect(bad.map((line) => said(line).length)).toEqual(bad.map(() => 1));
  });

  it("expects an address, or none", () => {
    const email = (text: string): string[] =>
      complaints({ name: "A", visitor, expect: { email: text } });
    expect([...email("ada@example.com"), ...email("none")]).toEqual([]);
    expect(email("nobody")).toEqual(["expect.email"]);
  });

  it("reads what stands between slashes as a pattern, and refuses one that is none", () => {
    expect(spokenPattern("365 days")).toBeUndefined();
    expect(spokenPattern("/365 (days|Tage)/")?.test("365 TAGE")).toBe(true);
    expect(spokenPattern("and/or")).toBeUndefined();
    const expected = { must_say: ["/(/"], must_not_say: ["/[/"] };
    expect(complaints({ name: "A", visitor, expect: expected })).toEqual([
      "expect.must_say.0",
      "expect.must_not_say.0",
    ]);
  });
});
