import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXAMPLE_AGENT } from "./init-agent.ts";
import { AgentFileError } from "./mistake.ts";
import { readScenarios } from "./read-scenarios.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "svc-scenarios-"));
});
afterEach(() => rm(root, { recursive: true }));

async function scenarios(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** `file:line field: message` of each mistake. */
async function mistakes(): Promise<string[]> {
  const error: unknown = await readScenarios(root, "guide").catch((thrown: unknown) => thrown);
  if (!(error instanceof AgentFileError)) throw error;
  return error.mistakes.map(
    ({ file, line, field, message }) => `${file}:${line ?? ""} ${field ?? ""}: ${message}`,
  );
}

const one = (rest: string): string => `name: A price\nvisitor:\n  says: [Hello]\n${rest}`;

describe("the scenarios of an agent's folder", () => {
  it("are read in the order of their names, with the files they stand in", async () => {
    await scenarios({
      "scenarios/b.yaml": one("language: de"),
      "scenarios/a/long.yml": one("expect: {ends: agent, must_say: [/\\d+ days/]}"),
      "scenarios/README.md": "Not one.",
      "knowledge/a.yaml": "nor this",
    });
    expect(await readScenarios(root)).toEqual([
      {
        file: "scenarios/a/long.yml",
        name: "A price",
        visitor: { says: ["Hello"] },
        expect: { ends: "agent", must_say: [String.raw`/\d+ days/`] },
      },
      {
        file: "scenarios/b.yaml",
        name: "A price",
        visitor: { says: ["Hello"] },
        language: "de",
      },
    ]);
  });

  it("are what the guide shows", async () => {
    const guide = await readFile(
      new URL("../../../../docs/guide/scenarios.md", import.meta.url),
      "utf8",
    );
    const samples = [...guide.matchAll(/^```yaml scenario\.yaml\n([^]*?)^```/gm)];
    const files = samples.map(([, text], index) => [`scenarios/${index}.yaml`, text!]);
    await scenarios(Object.fromEntries(files) as Record<string, string>);
    expect(await readScenarios(root)).toHaveLength(4);
  });

  it("are thirty in the example, in its four languages, each with a name of its own", async () => {
    const all = await readScenarios(EXAMPLE_AGENT);
    const count = (code: string): number => all.filter(({ language }) => language === code).length;
    expect(["en", "de", "fr", "es"].map(count)).toEqual([8, 8, 7, 7]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(30);
  });

  it("may be none", async () => {
    expect(await readScenarios(root)).toEqual([]);
  });

  it("tell all mistakes of all files at once, each with its place and its cure", async () => {
    const lines = [
      "name: Long",
      "langauge: de",
      "visitor:",
      "  says:",
      "    - Hello",
      "    - 12",
      "    - {confirms_email: nobody}",
      "    - {confirms: a@example.com}",
      "    - {quick_reply: Yes please, dismisses_card: true}",
      "    - [a, b]",
      "expect:",
      "  must_say: [/(unclosed/, '']",
      "  ends: agents",
      "  tools: [ask_mail]",
      "  email: nobody",
      "  most_words_per_turn: 0",
    ];
    await scenarios({
      "scenarios/a.yaml": lines.join("\n"),
      "scenarios/b.yaml": "name: Two\nvisitor: {says: [Hi], persona: {wants: all}}\n",
      "scenarios/c.yaml": "name: Broken\n\tvisitor:\n",
      "scenarios/d.yaml": "",
      "scenarios/e.yaml": new Uint8Array([0xff, 0xfe]),
      "scenarios/f.yaml": "name: Nobody comes\n",
    });
    expect(await mistakes()).toEqual([
      "guide/scenarios/a.yaml:2 langauge: This key is not known here. Did you mean `language`?",
      "guide/scenarios/a.yaml:6 visitor.says[1]: YAML reads this as a number. Put it in quotes.",
      expect.stringMatching(/a\.yaml:7 visitor\.says\[2\]\.confirms_email: This is no email/),
      expect.stringMatching(/a\.yaml:8 visitor\.says\[3\]\.confirms: .*not known here/),
      "guide/scenarios/a.yaml:9 visitor.says[4]: One line does one thing. Keep one key in it.",
      "guide/scenarios/a.yaml:10 visitor.says[5]: This is a list. Write a text.",
      expect.stringMatching(
        /a\.yaml:12 expect\.must_say\[0\]: This pattern cannot be read: .*Fix it, or remove/,
      ),
      expect.stringMatching(/a\.yaml:12 expect\.must_say\[1\]: There is no text here/),
      "guide/scenarios/a.yaml:13 expect.ends: `agents` is not known here. Did you mean `agent`?",
      expect.stringMatching(/a\.yaml:14 expect\.tools\[0\]: .*Did you mean `ask_email`\?/),
      expect.stringMatching(/a\.yaml:15 expect\.email: This is no email address/),
      expect.stringMatching(/a\.yaml:16 expect\.most_words_per_turn: This is too little/),
      expect.stringMatching(/b\.yaml:2 visitor: A visitor is a script or a persona/),
      expect.stringMatching(/c\.yaml:2 visitor: .*tab/i),
      expect.stringMatching(/d\.yaml: .*empty/),
      expect.stringMatching(/e\.yaml: : This file is no UTF-8 text/),
      expect.stringMatching(/f\.yaml:1 visitor: This is missing/),
    ]);
  });
});
