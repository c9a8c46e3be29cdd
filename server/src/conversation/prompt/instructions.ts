import type { DemoAgent } from "../conversation.ts";
import { RULES } from "./rules.ts";

/**
 * The first message of every request. It is the same for a whole session, so that a provider needs
 * to read it only once.
 */
export function buildInstructions({ config, knowledge }: DemoAgent, language: string): string {
  const { name, brand, persona, instructions, content, questions } = config;
  const lines = (objects: object[]): string[] => objects.map((object) => JSON.stringify(object));
  return [
    RULES,
    section("Agent", lines([{ name, brand: brand.name, language }])),
    section("Persona", [persona?.trim() ?? ""]),
    section("Instructions", [instructions?.trim() ?? ""]),
    section(
      "Content",
      lines(
        content.map(({ id, title, kind, showWhen }) => ({
          id,
          title,
          kind,
          ...(showWhen !== undefined && { show_when: showWhen }),
        })),
      ),
    ),
    section("Questions", lines(questions.map(({ key, text }) => ({ key, text })))),
    section(
      "Knowledge",
      isLarge(knowledge)
        ? ["Use search_knowledge."]
        : knowledge.map((part) => `## ${part.name}\n${part.text}`),
    ),
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

/** Too large for a prompt: sections are searched then. */
export function isLarge(knowledge: DemoAgent["knowledge"]): boolean {
  return knowledge.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS;
}

const MOST_CHARACTERS = 24_000;

function section(title: string, lines: string[]): string | undefined {
  const text = lines.join("\n");
  return text === "" ? undefined : `# ${title}\n${text}`;
}
