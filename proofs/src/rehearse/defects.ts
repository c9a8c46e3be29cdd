/** A mistake that the author of an agent could make, as a change of the agent's folder. */
export interface Defect {
  /** What is wrong. */
  name: string;
  changes: Change[];
  /** The scenarios that should notice, by their files. */
  scenarios: string[];
}

export type Change =
  /** `from` stands in the file exactly once. */
  { file: string; from: string; to: string } | { remove: string };

const inAgent = (from: string, to: string): Change[] => [{ file: "agent.yaml", from, to }];
const inKnowledge = (file: string, from: string, to: string): Change[] => [
  { file: `knowledge/${file}.md`, from, to },
];

const TOOLS = "tools: [show_content, ask_email, search_knowledge, talk_to_a_person, end_session]";
const withoutTool = (tool: string): Change[] =>
  inAgent(TOOLS, TOOLS.replace(`${tool}, `, "").replace(`, ${tool}]`, "]"));

export const defects: Defect[] = [
  // What it knows.
  {
    name: "an old price in the knowledge",
    changes: inKnowledge(
      "what-svc-is",
      "## Languages",
      "## Price\n\nSvc costs 49 euros per month.\n\n## Languages",
    ),
    scenarios: ["en-price", "es-price"],
  },
  {
    name: "another retention",
    changes: inKnowledge("privacy", "for 365 days", "for 30 days"),
    scenarios: ["en-recording"],
  },
  {
    name: "sound that is recorded",
    changes: inKnowledge(
      "privacy",
      "The sound of the conversation is never recorded.",
      "The sound of the conversation is recorded.",
    ),
    scenarios: ["en-recording"],
  },
  {
    name: "a cookie",
    changes: inKnowledge("privacy", "There is no cookie and no fingerprint.", "There is a cookie."),
    scenarios: ["fr-cookies"],
  },
  {
    name: "no knowledge of privacy",
    changes: inAgent("  - knowledge/privacy.md\n", ""),
    scenarios: ["en-recording", "fr-cookies"],
  },
  {
    name: "no knowledge of the data",
    changes: inAgent("  - knowledge/your-data.md\n", ""),
    scenarios: ["de-webhook", "de-export"],
  },
  {
    name: "no knowledge of the product",
    changes: inAgent("  - knowledge/what-svc-is.md\n", ""),
    scenarios: ["de-language"],
  },
  {
    name: "an export without JSON",
    changes: inKnowledge("your-data", "as JSON or CSV, oldest first", "as CSV, oldest first"),
    scenarios: ["de-export"],
  },
  {
    name: "a webhook that is not signed",
    changes: inKnowledge("your-data", "to your address, signed, and", "to your address, and"),
    scenarios: ["de-webhook"],
  },
  {
    name: "an evaluation after days",
    changes: inKnowledge("your-data", "within minutes after", "within days after"),
    scenarios: ["de-webhook"],
  },
  {
    name: "a knowledge file that is gone",
    changes: [{ remove: "knowledge/privacy.md" }],
    scenarios: ["en-recording"],
  },

  // What it asks.
  {
    name: "a question that was dropped",
    changes: inAgent("  timeline: When would you like to have it running?\n", ""),
    scenarios: ["en-all-questions"],
  },
  {
    name: "a question under another key",
    changes: inAgent("  monthly_visitors:", "  visitors:"),
    scenarios: ["fr-all-questions"],
  },
  {
    name: "a question with another meaning",
    changes: inAgent("When would you like to have it running?", "What is your budget?"),
    scenarios: ["en-all-questions"],
  },
  {
    name: "all questions dropped",
    changes: inAgent(
      `questions:
  use_case: What would you like visitors of your site to see or understand?
  monthly_visitors: About how many people visit that page in a month?
  timeline: When would you like to have it running?
`,
      "",
    ),
    scenarios: ["en-all-questions"],
  },

  // What it shows.
  {
    name: "a slide that was dropped",
    changes: inAgent(
      `  - id: snippet
    title: The snippet
    kind: code
    file: content/snippet.html
    show_when: The visitor asks how to install it, or how much work it is.
`,
      "",
    ),
    scenarios: ["en-install"],
  },
  {
    name: "a slide under another id",
    changes: inAgent("id: what_you_get", "id: results"),
    scenarios: ["de-webhook"],
  },
  {
    name: "a slide for another occasion",
    changes: inAgent(
      "The visitor doubts that the record or the evaluation can be trusted.",
      "The visitor says goodbye.",
    ),
    scenarios: ["es-trust"],
  },
  {
    name: "a slide whose file is gone",
    changes: [{ remove: "content/how-it-works.md" }],
    scenarios: ["fr-what-it-is"],
  },

  // How it speaks.
  {
    name: "a language that was dropped",
    changes: inAgent("\n  fr:\n    greeting", "\n  it:\n    greeting"),
    scenarios: ["fr-language"],
  },
  {
    name: "a greeting in the wrong language",
    changes: inAgent("Guten Tag, ich bin Linden, eine KI.", "Hello, I'm Linden, an AI."),
    scenarios: ["de-language"],
  },
  {
    name: "a greeting that hides the AI",
    changes: inAgent("soy Linden, una IA.", "soy Linden."),
    scenarios: ["es-human"],
  },
  {
    name: "a greeting that is a lecture",
    changes: inAgent(
      "I'll show you Svc in about five minutes.",
      `I'll show you Svc in about five minutes. ${"It is very good and you will like it. ".repeat(5)}`,
    ),
    scenarios: ["en-human"],
  },
  {
    name: "a greeting of another product",
    changes: inAgent("Je vous présente Svc en cinq", "Je vous présente Acme en cinq"),
    scenarios: ["fr-language"],
  },

  // What it may do.
  {
    name: "no email card",
    changes: withoutTool("ask_email"),
    scenarios: ["en-email-confirmed", "es-email-confirmed"],
  },
  { name: "no slides", changes: withoutTool("show_content"), scenarios: ["en-install"] },
  {
    name: "no way to a person",
    changes: withoutTool("talk_to_a_person"),
    scenarios: ["de-person"],
  },
  {
    name: "no end",
    changes: withoutTool("end_session"),
    scenarios: ["es-polite-end", "fr-leaves-early"],
  },
  {
    name: "a person nowhere",
    changes: inAgent("person: https://svc.example.com/contact\n", ""),
    scenarios: ["de-person"],
  },
  {
    name: "no tools at all",
    changes: inAgent(TOOLS, "tools: []"),
    scenarios: ["de-email-declined"],
  },
];
