import { describe, expect, it } from "vitest";
import { AgentFile } from "./agent.ts";

const complaints = (file: unknown): string[] =>
  (AgentFile.safeParse(file).error?.issues ?? []).map((issue) => issue.path.join("."));

/** The paths at fault when each value stands in this field. */
const refused = (field: string, values: unknown[]): unknown[] =>
  values.filter((value) => !AgentFile.safeParse({ name: "Ada", [field]: value }).success);

describe("an agent file", () => {
  it("needs nothing but a name", () => {
    expect(AgentFile.parse({ name: "Ada" })).toEqual({ name: "Ada" });
    expect(complaints({})).toEqual(["name"]);
  });

  it("tells every mistake at once, however deep", () => {
    const wrong = {
      name: 3,
      brand: { colors: { primary: "red", text: "#12" } },
      languages: { english: null, de: { greeting: 5 } },
      default_language: "fr",
      content: [
        { id: "a", title: "A", kind: "markdown", link: "https://example.com" },
        { id: "a" },
      ],
      tools: ["talk_to_a_person"],
      limits: { max_minutes: 31 },
      surprise: true,
    };
    expect(complaints(wrong).toSorted()).toEqual(
      [
        "",
        "brand.colors.primary",
        "brand.colors.text",
        "content.0.link",
        "content.1.file",
        "content.1.id",
        "content.1.kind",
        "content.1.title",
        "default_language",
        "languages.de.greeting",
        "languages.english",
        "limits.max_minutes",
        "name",
        "tools.0",
      ].toSorted(),
    );
  });

  it("takes language codes in their one form only, and says which", () => {
    const good = ["en", "pt-BR", "zh-Hant", "gsw"];
    expect(refused("record_language", good)).toEqual([]);
    const bad = ["EN", "pt_BR", "english", "e", "en-uk", "", "iw"];
    expect(refused("record_language", bad)).toEqual(bad);
    const { error } = AgentFile.safeParse({ name: "Ada", record_language: "en-uk" });
    expect(error?.issues[0]?.message).toContain("Write en-GB.");
  });

  it("takes a language with nothing behind it", () => {
    expect(complaints({ name: "Ada", languages: { en: null, de: {} } })).toEqual([]);
    expect(complaints({ name: "Ada", languages: {} })).toEqual(["languages"]);
  });

  it("takes origins without path or wildcard", () => {
    const good = ["https://example.com", "HTTP://localhost:3000/", "https://bücher.example"];
    const bad = [
      "example.com",
      "https://*.example.com",
      "https://example.com/shop",
      "null",
      "https://a@b",
    ];
    expect(
      refused(
        "allowed_origins",
        good.map((one) => [one]),
      ),
    ).toEqual([]);
    expect(
      refused(
        "allowed_origins",
        bad.map((one) => [one]),
      ),
    ).toHaveLength(bad.length);
  });

  it("takes paths that stay inside the folder", () => {
    const good = ["knowledge/a.md", "a.md", "knowledge/..b.md", "a..b/c.md"];
    const bad = [
      "/etc/passwd",
      "../a.md",
      "a/../../b.md",
      "a\\b.md",
      "C:/a.md",
      ".",
      "a/./b.md",
      "",
    ];
    expect(
      refused(
        "knowledge",
        good.map((one) => [one]),
      ),
    ).toEqual([]);
    expect(
      refused(
        "knowledge",
        bad.map((one) => [one]),
      ),
    ).toHaveLength(bad.length);
  });

  it("takes keys that fit into column names", () => {
    const good = ["team_size", "a", `a${"1".repeat(39)}`];
    const bad = ["Team", "1st", "_a", "team-size", "", `a${"1".repeat(40)}`, "é"];
    expect(
      refused(
        "questions",
        good.map((one) => ({ [one]: "?" })),
      ),
    ).toEqual([]);
    expect(
      refused(
        "questions",
        bad.map((one) => ({ [one]: "?" })),
      ),
    ).toHaveLength(bad.length);
  });

  it("sends visitors who want a person to a link or an address", () => {
    expect(refused("person", ["https://example.com/a?b#c", "ada@example.com"])).toEqual([]);
    const bad = ["http://example.com", "ada", "javascript:alert(1)", "https://a b", "mailto:a@b.c"];
    expect(refused("person", bad)).toEqual(bad);
  });

  it("names nothing twice", () => {
    expect(
      complaints({ name: "Ada", modes: ["voice", "voice"], knowledge: ["a", "b", "a"] }),
    ).toEqual(["modes.1", "knowledge.2"]);
  });
});
