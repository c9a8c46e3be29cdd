import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SessionUnderTest } from "./talk-under-test.ts";

const EXAMPLE = join(import.meta.dirname, "../../../server/src/agents/example");

interface Example {
  name: string;
  brand: { name: string };
  languages: Record<string, { greeting: string }>;
  knowledge: string[];
  content: Record<string, string>[];
  questions: Record<string, string>;
}

const read = (file: string): string => readFileSync(join(EXAMPLE, file), "utf8");
const agent = parse(read("agent.yaml")) as Example;

/** The agent that `npm run dev` seeds, as its model is told about it. */
function instructions(): string {
  const { name, brand, languages, knowledge, content, questions } = agent;
  const lines = (objects: object[]): string => objects.map((one) => JSON.stringify(one)).join("\n");
  return `You are the guide of a product demo on a website, and you talk with one visitor.

# Agent
${JSON.stringify({ name, brand: brand.name, languages: Object.keys(languages) })}
# Content
${lines(content.map(({ id, title, kind, show_when }) => ({ id, title, kind, show_when })))}
# Questions
${lines(Object.entries(questions).map(([key, text]) => ({ key, text })))}
# Knowledge
${knowledge.map((file) => `## ${file.split("/")[1]}\n${read(file)}`).join("\n")}`;
}

/** A visitor's words, or in brackets what happened, and the directions that follow. */
function play(language: string, lines: string[], told = instructions()) {
  const greeting = agent.languages[language]!.greeting.trim();
  const session = new SessionUnderTest(told, greeting, { language });
  const directed = lines.map((line) => {
    const [, event] = /^\[(.*)\]$/.exec(line) ?? [];
    const text = event === undefined ? session.hear(line) : session.hear("", [event]);
    return [...text.matchAll(/⟦([^⟧]*)⟧/g)].map(([, direction]) => direction).join(" | ");
  });
  const said = session.written.flatMap((text) =>
    text
      .replaceAll(/⟦[^⟧]*⟧\s*/g, "")
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => sentence.length > 12),
  );
  return { directed, said, session };
}

test("a curious buyer is answered, shown around, asked three questions and offered a summary", () => {
  const { directed, said } = play("en", [
    "Hi, I saw your ad. What is this exactly?",
    "We sell heat pumps and people never understand the subsidies.",
    "And what do I get after a session?",
    "Around 12,000 a month I'd say",
    "What does it cost?",
    "ok and roughly?",
    "[The visitor confirmed ada@example.com on the card.]",
    "yes please",
    "Sometime in spring",
    "Nope, that's everything. Thanks!",
  ]);
  expect(directed).toEqual([
    "show how_it_works | ask use_case",
    "got use_case: We sell heat pumps and people never understand the subsidies | ask monthly_visitors",
    "show what_you_get",
    "got monthly_visitors: Around 12,000 a month I'd say | ask timeline",
    "",
    "email",
    "",
    "show snippet",
    "got timeline: Sometime in spring",
    "bye",
  ]);
  expect(said.join(" ")).not.toMatch(/\d ?(?:euros|dollars)|as I said/i);
  expect(new Set(said).size).toBe(said.length);
});

test("a German who says everything at once in an English demo is understood, and asked nothing", () => {
  const { directed, said, session } = play("en", [
    "Guten Tag! Unsere Besucher sollen die Wärmepumpen verstehen, wir haben etwa 3.000 Besucher im Monat, und wir wollen im Frühjahr starten. Schreiben Sie an jonas@example.com.",
    "[The visitor confirmed jonas@example.com on the card.]",
    "Was ist das genau, und wie baue ich das ein?",
    "Entschuldigung, es sind eher 5.000 Besucher im Monat.",
    "Bist du ein echtes Sprachmodell?",
    "Danke, das war alles.",
  ]);
  expect(directed).toEqual([
    "language de | got use_case: Unsere Besucher sollen die Wärmepumpen verstehen | got monthly_visitors: wir haben etwa 3.000 Besucher im Monat | got timeline: wir wollen im Frühjahr starten | email jonas@example.com",
    "",
    "show how_it_works",
    "got monthly_visitors: es sind eher 5.000 Besucher im Monat",
    "",
    "bye",
  ]);
  expect(session.state.open).toEqual([]);
  expect(said.join(" ")).not.toMatch(/\b(?:the|and|you|your|with|visitors|would)\b/);
  expect(said.join(" ")).toMatch(/Platzhalter/);
  expect(new Set(said).size).toBe(said.length);
});

test("a script gives way to what the owner has changed", () => {
  const asked = ["How do I install it?", "How long do you keep what I write?"];
  expect(play("en", asked)).toMatchObject({
    directed: ["show snippet | ask use_case", ""],
    said: expect.arrayContaining([expect.stringContaining("365 days")]),
  });
  const changed = instructions()
    .replace("asks how to install it, or how much work it is", "is about to leave")
    .replace("365 days", "30 days");
  const { directed, said } = play("en", asked, changed);
  expect(directed[0]).toBe("ask use_case");
  expect(said.join(" ")).not.toContain("365");
});
