import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "#platform";

/** What visitors asked, as a section of knowledge is made of it. */
export interface AskedGap {
  about: string;
  /** In visitors' own words. */
  questions: string[];
  sessions: number;
  since: Date;
  /** What a model made of it. */
  drafted?: { heading: string; text: string };
}

/**
 * A section with a heading and, as a comment, what was asked and what is to be written: a comment is no knowledge, so nobody hears
 * what no person has read.
 */
export function gapSection({ about, questions, sessions, since, drafted }: AskedGap): string {
  const times = sessions === 1 ? "one conversation" : `${sessions} conversations`;
  return [
    `## ${plainLine(drafted?.heading ?? about).replace(/[?？.\s]+$/u, "")}`,
    "",
    `<!-- Asked in ${times} since ${since.toISOString().slice(0, 10)}:`,
    ...questions.slice(0, MAX_QUESTIONS).map((one) => `- ${plainLine(one)}`),
    ...(drafted === undefined ? [] : ["", plainLine(drafted.text)]),
    "",
    "Write the answer below this comment. Until then the agent says that it does not know. -->",
  ].join("\n");
}

const MAX_QUESTIONS = 3;

/** Where they are written in an agent's folder. */
const FILE = "knowledge/asked-by-visitors.md";

/** Adds sections to the folder of an agent, but none whose heading is there already. */
export async function addGapSections(
  { at, shown }: { at: string; shown: string },
  sections: string[],
): Promise<{ file: string; added: number }> {
  await access(join(at, "agent.yaml")).catch(() => {
    throw new AppError("not_found", {
      what: `${shown} is no agent's folder.`,
      why: "It has no agent.yaml.",
      fix: "Name the folder that you apply.",
    });
  });
  const path = join(at, FILE);
  const before = await readFile(path, "utf8").catch(() => "# Asked by visitors\n");
  const headings = new Set(before.split("\n").filter((line) => line.startsWith("## ")));
  const added = sections.filter((section) => !headings.has(section.split("\n", 1)[0]!));
  if (added.length === 0) return { file: `${shown}/${FILE}`, added: 0 };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${[before.trimEnd(), ...added].join("\n\n")}\n`);
  return { file: `${shown}/${FILE}`, added: added.length };
}

const MAX_CHARACTERS = 600;

/** On one line, unable to end a comment or to begin a heading, and without what identifies somebody: the file outlives the record. */
function plainLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\s<>()"“„]+@[^\s<>()"”]+|\+?\d[\d\s/.-]{5,}\d/g, "…")
    .replaceAll(/-{2,}/g, "–")
    .replaceAll(/[<>]/g, "")
    .replace(/^[#\s]+/, "")
    .trim()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
