import { hash } from "node:crypto";
import type { EvaluationDocument } from "./document.ts";

const WANTED = "They own a website and start within six months.";

/** A conversation about heat pumps, with what a test changes. */
export function documentUnderTest(change: Partial<EvaluationDocument> = {}): EvaluationDocument {
  return {
    record_language: "en",
    languages: ["en", "de"],
    questions: [
      { key: "use_case", text: "What would you like visitors of your site to understand?" },
      { key: "timeline", text: "When would you like to have it running?" },
    ],
    insights: [{ key: "current_tool", text: "What they use for demos today." }],
    qualification: { qualified: WANTED },
    criteria: [{ key: "qualified", side: "qualified", text: WANTED }],
    metadata: { plan: "pro" },
    transcript: [
      [
        "assistant",
        "Hello, I'm an AI guide. What would you like visitors of your site to understand?",
      ],
      [
        "user",
        "Hi. My name is Anna Berg. We want them to see how a heat pump works. What does it cost?",
      ],
      ["assistant", "It costs ninety euros a month. When would you like to have it running?"],
      [
        "user",
        "In spring, I think. For demos today we use videos. It is too expensive to hire people.",
      ],
      ["assistant", "That makes sense."],
    ].map(([role, heard], index) => ({
      turn: index + 1,
      role: role === "user" ? "user" : "assistant",
      heard: heard!,
    })),
    ...change,
  };
}

/** The message of a request for its evaluation. */
export function fenced(document: object): string {
  const { qualification: _, ...rest } = document as Partial<EvaluationDocument>;
  const text = JSON.stringify(rest);
  const digest = hash("sha256", text);
  return `Judge this conversation.\n\n<<<DATA ${digest}\n${text}\nDATA ${digest}>>>`;
}
