import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locatedYaml } from "./located-yaml.ts";

/** `line field: message` of each fault. */
const faults = (text: string): string[] =>
  locatedYaml(text).faults.map(
    ({ line, path, message }) => `${line} ${path.join(".")}: ${message}`,
  );

describe("a located YAML text", () => {
  it.each([
    ["a tab", "brand:\n\tname: x\n", "2 brand.name: A tab indents"],
    [
      "a line that is not aligned",
      "brand:\n  name: x\n link: y\n",
      "3 brand.link: This line is not al",
    ],
    [
      "a line indented too deep",
      "brand:\n  name: x\n    link: y\n",
      "3 brand.link: This line is ind",
    ],
    [
      "a second key",
      "name: A\nquestions:\n  a: x\nname: B\n",
      "4 name: This key is there already, on line 1.",
    ],
    ["a colon in a text", "name: A\npersona: You: be kind\n", "2 persona: A colon in a text"],
    ["a missing space", "name:A\nbrand:\n  link: x\n", "1 name: This line is no key with a value"],
    [
      "a missing colon",
      "name: A\nbrand\npersona: x\n",
      "2 brand: This line is no key with a value",
    ],
    [
      "an open quote",
      'brand:\n  name: "A\n  link: x\nfoo: y\n',
      "2 brand.name: The quote that opens",
    ],
    [
      "an apostrophe in quotes",
      "name: 'it's'\n",
      "1 name: The quoted text ends too early. Write ''",
    ],
    ["a sign of YAML's own", "name: A\npersona: @ada\n", "2 persona: A text cannot start with @"],
    [
      "an open bracket",
      "modes: [voice, text\nname: A\n",
      "1 modes: The [ is never closed. Add a ].",
    ],
    ["an open brace", "brand: {name: A\nname: A\n", "1 brand: The { is never closed. Add a }."],
    [
      "an open brace before a comment",
      "brand: {name: A\n# who\nname: A\n",
      "1 brand: The { is never closed. Add a }.",
    ],
    ["a second document", "name: A\n---\nname: B\n", "2 name: A second document"],
    ["an alias", "name: A\npersona: *bold\n", "2 persona: A text that starts with *"],
    ["a tag", "name: A\npersona: !important\n", "2 persona: A text that starts with !"],
    ["an escape that is none", 'name: "a\\qb"\n', "1 name: This is no escape"],
    ["a control character", 'name: A\npersona: "a\\0b"\n', "2 persona: This text holds a control"],
    ["half a character", 'persona: "\\uD800"\n', "1 persona: This text holds a control"],
    ["a prototype", "name: A\n__proto__:\n  x: y\n", "2 __proto__: This key is not known"],
    ["a key that is no name", "? [a, b]\n: x\n", "1 : This key is not a name"],
  ])("explains %s, where it is", (_name, text, expected) => {
    expect(faults(text)).toEqual([expect.stringContaining(expected)]);
  });

  it("tells all of them at once, one for each line", () => {
    const text = "brand:\n\tname: x\n\tlink: y\nquestions:\n  a: what: now\n";
    expect(faults(text).map((one) => one.split(" ", 2).join(" "))).toEqual([
      "2 brand.name:",
      "3 brand.link:",
      "5 questions.a:",
    ]);
  });

  it("is read further where a fault leaves the rest in shape", () => {
    expect(locatedYaml("name: A\nname: B\n").value).toEqual({ name: "B" });
    expect(locatedYaml("name: A: B\n").value).toBeUndefined();
  });

  it("knows the place of each key and item, and of what is around a missing one", () => {
    const { locate } = locatedYaml(
      "# first\nname: A\ncontent:\n  - id: a\n\n  - id: b\n    title: B\n",
    );
    expect(locate(["name"])).toEqual({ line: 2, column: 1 });
    expect(locate(["content", 1])).toEqual({ line: 6, column: 5 });
    expect(locate(["content", 1, "title"])).toEqual({ line: 7, column: 5 });
    expect(locate(["content", 1, "file"])).toEqual({ line: 6, column: 5 });
    expect(locate(["brand", "name"])).toEqual({ line: 2, column: 1 });
    expect(locatedYaml("").locate(["name"])).toEqual({ line: 1, column: 1 });
  });

  it("survives any text, and every fault has a line of it", () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        "a",
        ":",
        " ",
        "\n",
        "-",
        "\t",
        '"',
        "'",
        "[",
        "}",
        "|",
        "#",
        "*",
        "&",
        "!",
        "?",
        "\\",
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        const { faults: found, locate } = locatedYaml(text);
        const lines = text.split("\n").length;
        for (const { line, column } of [...found, locate(["a", 0, "b"])]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
