import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainConfig } from "../file/resolve-config.ts";
import type { AgentConfig, StoredFile } from "./agent-config.ts";
import { compareConfigs, flattenConfig } from "./compare-configs.ts";

const file = (path: string, sha256 = "aa"): StoredFile => ({
  path,
  sha256,
  size: 2,
  mediaType: "text/markdown",
});

const guide: AgentConfig = {
  ...plainConfig("Guide"),
  languages: [{ code: "en", greeting: "Hello" }, { code: "de" }],
  knowledge: [file("knowledge/a.md")],
  content: [{ id: "tour", title: "Tour", kind: "markdown", file: file("content/tour.md") }],
  questions: [
    { key: "size", text: "How many?" },
    { key: "when", text: "When?" },
  ],
};

const fields = (change: Partial<AgentConfig>): string[] =>
  compareConfigs(guide, { ...guide, ...change }).map(({ field }) => field);

describe("comparing two versions", () => {
  it("names what was added, removed and changed", () => {
    const { questions: _, ...rest } = guide;
    const next: AgentConfig = { ...rest, name: "Ada", persona: "Kind", questions: [] };
    expect(compareConfigs(guide, next)).toEqual([
      { field: "name", from: "Guide", to: "Ada" },
      { field: "persona", from: undefined, to: "Kind" },
      { field: "questions", from: "size, when", to: undefined },
      { field: "questions.size", from: "How many?", to: undefined },
      { field: "questions.when", from: "When?", to: undefined },
    ]);
  });

  it("sees an order that changed, and a language that has nothing of its own", () => {
    expect(fields({ questions: guide.questions.toReversed() })).toEqual(["questions"]);
    expect(fields({ languages: guide.languages.slice(0, 1) })).toEqual(["languages"]);
  });

  it("sees a file whose bytes changed under the same name, and one that moved", () => {
    expect(fields({ knowledge: [file("knowledge/a.md", "bb")] })).toEqual(["knowledge/a.md"]);
    const moved = { ...guide.content[0]!, file: file("content/new.md") };
    expect(fields({ content: [moved] })).toEqual([
      "content.tour.file",
      "content/new.md",
      "content/tour.md",
    ]);
  });

  it("names slides and places as the file does", () => {
    const place = { selector: "#plans", confirm: true };
    const plans = { id: "plans", title: "Plans", kind: "place" as const, link: "/prices", place };
    const own = [{ code: "de", title: "Tarife" }];
    expect(fields({ content: [...guide.content, { ...plans, languages: own }] })).toEqual([
      "places",
      "places.plans.path",
      "places.plans.selector",
      "places.plans.confirm",
      "places.plans.caption",
      "places.plans.languages",
      "places.plans.languages.de.caption",
    ]);
  });

  it("tells a file from a field of the same name", () => {
    expect(flattenConfig({ knowledge: [file("persona")] })).toContainEqual([
      "./persona",
      file("persona"),
    ]);
  });

  it("finds nothing in what a database gave back with its keys in another order", () => {
    const shuffled = JSON.parse(JSON.stringify(guide), (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as AgentConfig;
    expect(compareConfigs(shuffled, guide)).toEqual([]);
  });

  it("finds a difference between any two that differ", () => {
    const text = fc.constantFrom("a", "b", "a, b");
    const config = fc.record({
      questions: fc.uniqueArray(fc.record({ key: fc.constantFrom("a", "b", "c"), text }), {
        selector: ({ key }) => key,
      }),
      languages: fc.uniqueArray(
        fc.record(
          { code: fc.constantFrom("en", "de"), voice: text, notice: text },
          { requiredKeys: ["code"] },
        ),
        { selector: ({ code }) => code },
      ),
      allowedOrigins: fc.uniqueArray(fc.constantFrom("https://a", "https://b"), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(config, config, (one, other) => {
        const same = JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys);
        const changes = compareConfigs({ ...guide, ...one }, { ...guide, ...other });
        expect(changes.length === 0).toBe(same);
      }),
      { numRuns: 2_000 },
    );
  });
});

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
