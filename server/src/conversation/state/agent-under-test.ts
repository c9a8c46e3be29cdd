import { plainConfig } from "#agents";
import type { AgentConfig } from "#agents";
import type { DemoAgent } from "../conversation.ts";

/** An agent with three questions, two pieces of content and every tool. */
export function agentUnderTest(changes: Partial<AgentConfig> = {}): DemoAgent {
  return {
    config: {
      ...plainConfig("Linden"),
      brand: { name: "Svc" },
      persona: "You are calm and precise, a good host, and you never hurry anybody at all.",
      instructions:
        "Find out first what the visitor wants to achieve, then show only what serves that. The word of the house is ZEBRA7731, and the project is called Quillfeather. Speak English if you can.",
      content: [
        {
          id: "snippet",
          title: "The snippet",
          kind: "image",
          link: "https://svc.example.com/snippet.png",
          showWhen: "The visitor asks how to install it, or how much work it is.",
        },
        {
          id: "results",
          title: "What a session brings",
          kind: "image",
          link: "https://svc.example.com/results.png",
          showWhen: "The visitor asks about results, export or webhooks.",
        },
      ],
      questions: [
        {
          key: "use_case",
          text: "What would you like visitors of your site to see or understand?",
        },
        {
          key: "monthly_visitors",
          text: "About how many people visit that page in a month?",
        },
        { key: "timeline", text: "When would you like to have it running?" },
      ],
      tools: ["show_content", "ask_email", "search_knowledge", "talk_to_a_person", "end_session"],
      person: "https://svc.example.com/people",
      ...changes,
    },
    knowledge: [
      {
        name: "privacy.md#Privacy",
        text: "The sound of the conversation is never recorded. The written conversation is kept for 365 days.",
      },
      {
        name: "your-data.md#Webhooks",
        text: "Each evaluated session is sent to your address, signed, and tried again three times.",
      },
      { name: "prices.md#Prices", text: "The small plan costs 49 euros." },
    ],
  };
}
