import { wordCount } from "#language";
import type { PlayedScenario } from "#conversation";
import * as z from "zod";
import { facts, heading, table, tone } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The results of an agent's scenarios, as `--json` prints them. */
export interface RehearsalOutput {
  slug: string;
  model: string;
  passed: number;
  failed: number;
  scenarios: ScenarioOutput[];
}

interface ScenarioOutput {
  file: string;
  name: string;
  language: string;
  result: "passed" | "failed";
  turns: number;
  most_words: number;
  failures: { expected: string; got: string }[];
  transcript: { role: "user" | "assistant"; content: string; interrupted?: true }[];
}

export const RehearsalOutput: z.ZodType<RehearsalOutput> = z.strictObject({
  slug: z.string(),
  model: z.string(),
  passed: z.int(),
  failed: z.int(),
  scenarios: z.array(
    z.strictObject({
      file: z.string(),
      name: z.string(),
      language: z.string(),
      result: z.enum(["passed", "failed"]),
      turns: z.int().describe("Of both sides"),
      most_words: z.int().describe("In one turn of the agent's"),
      failures: z.array(z.strictObject({ expected: z.string(), got: z.string() })),
      transcript: z.array(
        z.strictObject({
          role: z.enum(["user", "assistant"]),
          content: z.string(),
          interrupted: z.literal(true).exactOptional(),
        }),
      ),
    }),
  ),
});

export function toScenarioOutput({
  scenario: { file, name },
  language,
  recording: { turns },
  failures,
}: PlayedScenario): ScenarioOutput {
  const words = turns
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => wordCount(content));
  return {
    file,
    name,
    language,
    result: failures.length === 0 ? "passed" : "failed",
    turns: turns.length,
    most_words: Math.max(0, ...words),
    failures,
    transcript: turns.map(({ role, content, interrupted }) => ({
      role,
      content,
      ...(interrupted && { interrupted }),
    })),
  };
}

/** Every scenario on a line, then each that failed: what was expected, and what was said. */
export function rehearsalPage(output: RehearsalOutput, terminal: Terminal): string {
  const { slug, model, passed, failed, scenarios } = output;
  const share = `${passed} of ${passed + failed} scenarios`;
  return [
    `${slug} passed ${tone(terminal, failed === 0 ? "good" : "bad", share)} with ${model}.`,
    table(terminal, scenarios, [
      { title: "SCENARIO", cell: (one) => one.name, flexible: true },
      { title: "LANGUAGE", cell: (one) => one.language },
      { title: "TURNS", cell: (one) => String(one.turns), align: "right" },
      { title: "MOST WORDS", cell: (one) => String(one.most_words), align: "right" },
      {
        title: "RESULT",
        cell: (one) => one.result,
        tone: (one) => (one.result === "passed" ? "good" : "bad"),
      },
    ]),
    ...scenarios
      .filter(({ result }) => result === "failed")
      .map((one) => failedScenario(one, terminal)),
  ].join("\n\n");
}

function failedScenario(
  { name, file, failures, transcript }: ScenarioOutput,
  terminal: Terminal,
): string {
  return [
    heading(terminal, `${name} (${file})`),
    ...failures.map(({ expected, got }) =>
      facts(terminal, [
        ["expected", expected],
        ["got", got, "bad"],
      ]),
    ),
    ...(transcript.length === 0 ? [] : ["", transcriptLines(transcript, terminal)]),
  ].join("\n");
}

function transcriptLines(transcript: ScenarioOutput["transcript"], terminal: Terminal): string {
  return facts(
    terminal,
    transcript.map(({ role, content, interrupted }) => [
      role === "user" ? "visitor" : "agent",
      interrupted ? `${content} (cut)` : content,
    ]),
  );
}
