import { plainConfig } from "@svc/server/testing";
import type { DemoAgent } from "@svc/server/testing";
import { LANGUAGES } from "./lines.ts";

/** Stands in the knowledge, in every language. */
export const TOLD: RegExp = /1[.,\s]?234/u;

/** Stand nowhere. */
export const INVENTED: RegExp = /812|7[.,\s]?777/u;

/** An agent with three questions, of which each names something that nobody else speaks of. */
export const AGENT: DemoAgent = {
  config: {
    ...plainConfig("Rowan"),
    brand: { name: "Mastline" },
    languages: LANGUAGES.map((code) => ({ code })),
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
