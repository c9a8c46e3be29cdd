import { plainConfig } from "@svc/server/testing";
import type { DemoAgent } from "@svc/server/testing";
import lines from "./airship-lines.json" with { type: "json" };

/** An agent with three questions, each about something that nobody else speaks of. */
export const AGENT: DemoAgent = {
  config: {
    ...plainConfig("Rowan"),
    brand: { name: "Mastline" },
    languages: Object.keys(lines).map((code) => ({ code })),
    persona: "You love airships, and you never boast.",
    questions: [
      { key: "ships", text: "How many zeppelins do you fly today?" },
      { key: "ready", text: "When should the new mast be ready?" },
      { key: "enjoy", text: "What should your guests enjoy on board?" },
    ],
    tools: ["show_content", "ask_email", "talk_to_a_person", "end_session"],
    person: "https://mastline.example/people",
  },
  knowledge: [
    { name: "licence.md#Licence", text: "A mooring licence costs 1,234 euros." },
    { name: "lizenz.md#Lizenz", text: "Eine Anlegelizenz kostet 1.234 Euro." },
    { name: "licence-fr.md#Licence", text: "Une licence d'amarrage coûte 1 234 euros." },
    { name: "licencia.md#Licencia", text: "Una licencia de amarre cuesta 1.234 euros." },
    { name: "mast.md#Mast", text: "Mastline builds masts at which airships can be moored." },
  ],
};

/** In the knowledge, in every language: the answer to the lines `known`. */
export const TOLD: RegExp = /1[.,\s]?234/u;
/** In no knowledge: what a careless model answers to the lines `unknown`. */
export const INVENTED: RegExp = /812|7[.,\s]?777/u;

const ABOUT = {
  ships: /zeppelin|zepel/iu,
  ready: /(?<!\p{L})(?:mast|mât|mástil)(?!\p{L})/iu,
  enjoy: /(?<!\p{L})(?:guests|gäste|invités|huéspedes)(?!\p{L})/iu,
};

export type QuestionKey = keyof typeof ABOUT;
export const QUESTIONS = Object.keys(ABOUT) as QuestionKey[];

/** Which questions a text asks. */
export function questionsIn(text: string): QuestionKey[] {
  return text
    .split(/(?<=[.!?…])\s+/u)
    .filter((sentence) => sentence.includes("?"))
    .flatMap((sentence) => QUESTIONS.filter((key) => ABOUT[key].test(sentence)));
}

export type Language = keyof typeof lines;
/** What is said in one language; sentences to choose from are separated by bars. */
export const LINES: Record<Language, (typeof lines)["en"]> = lines;
export const LANGUAGES = Object.keys(lines) as Language[];

export function sentencesOf(row: string): string[] {
  return row.split(" | ");
}
