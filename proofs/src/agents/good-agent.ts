import type { AgentFile } from "@svc/contract/types";
import type { AgentFolder } from "./agent-files.ts";

/** An agent with every field, into which mistakes are planted one at a time. */
export function goodAgent(): AgentFolder {
  const file: AgentFile = {
    name: "Ada",
    brand: {
      name: "Acme",
      logo: "content/logo.svg",
      link: "https://www.acme.example",
      colors: { primary: "#0f766e", text: "#ffffff" },
    },
    modes: ["voice", "text"],
    languages: {
      en: { voice: "alloy", greeting: "Hello, an AI speaks.", notice: "We keep the text." },
      de: { greeting: "Guten Tag, hier spricht eine KI." },
      "pt-BR": null,
    },
    default_language: "en",
    record_language: "de",
    persona: "Calm and precise.\nShort sentences.",
    instructions: "Ask first.\nThen show.",
    knowledge: ["knowledge/prices.md", "knowledge/setup.md"],
    content: [
      {
        id: "tour",
        title: "A tour",
        kind: "image",
        file: "content/tour.png",
        show_when: "At first.",
      },
      { id: "prices", title: "Prices", kind: "table", file: "content/prices.csv" },
      { id: "film", title: "The film", kind: "video", link: "https://www.acme.example/film" },
    ],
    questions: { team_size: "How many are you?", timeline: "When would you start?" },
    insights: { tool: "What they use today." },
    qualification: { qualified: "They have a team.", disqualified: "They look for a job." },
    tools: ["show_content", "ask_email", "talk_to_a_person", "end_session"],
    limits: { max_minutes: 15, at_once: 20, daily_starts: 500, daily_cost: 25 },
    allowed_origins: ["https://www.acme.example", "https://acme.example"],
    test_origins: ["https://staging.acme.example"],
    avatar: "rowan",
    person: "sales@acme.example",
    follow_up: false,
  };
  const files = {
    "content/logo.svg": "<svg/>",
    "content/tour.png": "\x89PNG\r\n\x1a\n0",
    "content/prices.csv": "plan,price\nsmall,10\n",
    "content/notes.txt": "notes",
    "knowledge/prices.md": "# Prices\n",
    "knowledge/setup.md": "# Setup\n",
  };
  return {
    file,
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, Buffer.from(text, "latin1")]),
    ),
  };
}
