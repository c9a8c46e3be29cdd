import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startRehearsedModels } from "#testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { operatorUnderTest } from "../../command-line-under-test.ts";
import { runCli } from "../../program.ts";
import { RehearsalOutput } from "../../pages/rehearsal-page.ts";

const AGENT = `name: Ada
languages:
  en: {greeting: "Hello, an AI speaks."}
tools: [end_session]
`;

/** Runs `agents rehearse guide …` in a folder with these scenarios; there is no database. */
async function rehearse(
  scenarios: Record<string, string>,
  ...argv: string[]
): Promise<{ exitCode: number; out: string; err: string }> {
  const directory = await mkdtemp(join(tmpdir(), "svc-rehearse-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const files = { "agent.yaml": AGENT, ...scenarios };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, "guide", path)), { recursive: true });
    await writeFile(join(directory, "guide", path), text);
  }
  const { rehearsal } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  const [out, err]: [string[], string[]] = [[], []];
  const exitCode = await runCli(["agents", "rehearse", "guide", ...argv], {
    terminal: { width: 80, color: false, nowMs: 0 },
    operator: operatorUnderTest({
      directory,
      conversationModels: ({ name = "rehearsal" } = {}) => ({
        first: {
          url: rehearsal.baseUrl,
          key: undefined,
          name,
          timeoutMs: 5_000,
          price: { input: 0, output: 0 },
        },
        fallback: undefined,
      }),
    }),
    print: (text) => out.push(text),
    complain: (text) => err.push(text),
  });
  return { exitCode, out: out.join("\n"), err: err.join("\n") };
}

const greets = "name: It greets\nvisitor: {says: [Hi]}\nexpect: {must_say: [an AI speaks]}\n";
const sings = "name: It sings\nvisitor: {says: [Hi]}\nexpect: {must_say: [la la la]}\n";

describe("rehearsing an agent on the command line", () => {
  it("shows each scenario, and of those that failed what was expected and said", async () => {
    const { exitCode, out } = await rehearse({
      "scenarios/greets.yaml": greets,
      "scenarios/sings.yaml": sings,
    });
    expect(exitCode).toBe(1);
    expect(out).toContain("guide passed 1 of 2 scenarios with rehearsal.");
    expect(out).toMatch(/^It greets +en +3 +\d+ +passed$/m);
    expect(out).toMatch(/^It sings +en +3 +\d+ +failed$/m);
    expect(out).toContain("It sings (scenarios/sings.yaml)");
    expect(out).toMatch(/^expected {2}to hear "la la la"\ngot {7}it was not heard$/m);
    expect(out).toMatch(/^agent {4}Hello, an AI speaks\.\nvisitor {2}Hi\nagent /m);
    expect(out.match(/Hello, an AI/g)).toHaveLength(1);
  });

  it("plays those that are named, and prints JSON for programs", async () => {
    const { exitCode, out } = await rehearse(
      { "scenarios/greets.yaml": greets, "scenarios/sings.yaml": sings },
      "--only=GREETS",
      "--model=other",
      "--json",
    );
    const printed: unknown = JSON.parse(out);
    expect(RehearsalOutput.parse(printed)).toEqual(printed);
    expect(exitCode).toBe(0);
    expect(printed).toMatchObject({
      slug: "guide",
      model: "other",
      passed: 1,
      failed: 0,
      scenarios: [{ file: "scenarios/greets.yaml", result: "passed", turns: 3 }],
    });
  });

  it("needs a database only where the agent looks something up", async () => {
    const { exitCode, err } = await rehearse({
      "agent.yaml": AGENT.replace("[end_session]", "[search_knowledge, end_session]"),
      // Too much for a prompt, so it is searched.
      "knowledge/prices.md": `# Prices\n\n${"Ten a month. ".repeat(2_000)}`,
      "scenarios/asks.yaml": "name: Asks\nvisitor: {says: [What is the price?]}\n",
    });
    expect(exitCode).toBe(3);
    expect(err).toContain("The database cannot be reached.");
  });

  it("says what to do when there is nothing to play", async () => {
    const none = await rehearse({});
    expect([none.exitCode, none.err]).toEqual([
      1,
      expect.stringContaining("There is no scenario to play in guide."),
    ]);
    const other = await rehearse({ "scenarios/greets.yaml": greets }, "--only", "price");
    expect(other.err).toContain("None of its 1 has that in its file or name.");
  });

  it("tells mistakes in scenarios with their places", async () => {
    const { exitCode, err } = await rehearse({
      "scenarios/a.yaml": "name: A\nvisitor: {say: [Hi]}",
    });
    expect(exitCode).toBe(2);
    expect(err).toContain("guide/scenarios/a.yaml:2:11  visitor.say");
    expect(err).toContain("Did you mean `says`?");
  });
});
