import { normalizeEmail } from "#sessions";
import { z } from "zod";
import type { DemoAgent, KnowledgeSection } from "../conversation.ts";
import type { DemoPlan } from "../plan/demo-plan.ts";
import { isLarge } from "../prompt/instructions.ts";

/** A tool as the model sees it, and what the server does when it is called. */
export interface DemoTool {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
  /** Runs the tool and returns the answer for the model. Never throws for invalid arguments, because models send them. */
  run(args: unknown): Promise<string>;
}

/** The effects of tools. An implementation must report each one to the plan too. */
export interface ToolActions {
  showContent(id: string): void;
  /** Only the visitor can confirm an address on the card. */
  openEmailCard(prefill: string | undefined): void;
  openPersonCard(link: string): void;
  searchKnowledge(query: string): Promise<KnowledgeSection[]>;
  /** Ends the session once what is being said was heard. */
  endAfterSpeech(): void;
  event(kind: string, detail: Record<string, unknown>): void;
}

export interface ToolOptions {
  agent: DemoAgent;
  plan: DemoPlan;
  actions: ToolActions;
}

/**
 * The tools that the agent's settings allow and that make sense for it. The model proposes, the
 * server decides: what a visitor talked it into is refused in words that it can go on from.
 */
export function demoTools({ agent, plan, actions }: ToolOptions): DemoTool[] {
  const { tools, content, questions, person } = agent.config;
  const make = toolMaker(actions);
  const offered: (DemoTool | false)[] = [
    questions.length > 0 &&
      make(
        "note_answer",
        "The visitor has answered one of the questions. The quote is their exact words.",
        z.strictObject({ question: z.string(), quote: z.string() }),
        ({ question, quote }) =>
          plan.noteAnswer(question, quote)
            ? "Noted."
            : refusal("Not noted: the visitor did not say these words."),
      ),
    tools.includes("show_content") &&
      content.length > 0 &&
      make(
        "show_content",
        "Shows the visitor one piece of the content, by its id.",
        z.strictObject({ id: z.string() }),
        ({ id }) => {
          if (!content.some((one) => one.id === id)) return refusal("There is no such content.");
          actions.showContent(id);
          return "It is on the screen.";
        },
      ),
    tools.includes("ask_email") &&
      make(
        "ask_email",
        "Opens a card on which the visitor can type and confirm an email address. If they have said one, it is the prefill.",
        z.strictObject({ prefill: z.string().optional() }),
        ({ prefill }) => {
          const { addressSaid } = plan;
          const isKnown = plan.state.email === "confirmed";
          if (isKnown && addressSaid === undefined) return refusal("The address is known already.");
          // An address that the visitor did not say is somebody else's, and one said before a correction is wrong.
          const address = isKnown ? undefined : normalizeEmail(prefill ?? "");
          const isTheirs = address !== undefined && plan.wasAddressSaid(address);
          actions.openEmailCard(isTheirs ? address : addressSaid);
          const promise = plan.state.mail === "none" ? " No mail will be sent: promise none." : "";
          return `The card is open. Only the visitor can confirm an address on it.${promise}`;
        },
      ),
    tools.includes("search_knowledge") &&
      isLarge(agent.knowledge) &&
      make(
        "search_knowledge",
        "Finds what the knowledge says about something. Search in a few words before you answer.",
        z.strictObject({ query: z.string() }),
        async ({ query }) => {
          const sections = await actions.searchKnowledge(query);
          if (sections.length === 0) return "The knowledge says nothing about this.";
          return sections.map(({ name, text }) => `## ${name}\n${text}`).join("\n\n");
        },
      ),
    tools.includes("talk_to_a_person") &&
      person !== undefined &&
      make("talk_to_a_person", "Shows the visitor the way to a person.", z.strictObject({}), () => {
        actions.openPersonCard(person);
        return "The way to a person is on the screen.";
      }),
    tools.includes("end_session") &&
      make("end_session", "Ends the demo, after your goodbye.", z.strictObject({}), () => {
        if (plan.nextGoal().kind !== "wrap_up") return refusal("Not yet: go on with the demo.");
        actions.endAfterSpeech();
        return "The session ends after your goodbye.";
      }),
  ];
  return offered.filter((tool) => tool !== false);
}

interface Refusal {
  refused: string;
}

function refusal(refused: string): Refusal {
  return { refused };
}

type Answer = string | Refusal;

function toolMaker({ event }: ToolActions) {
  return <Arguments>(
    name: string,
    description: string,
    schema: z.ZodType<Arguments>,
    run: (args: Arguments) => Answer | Promise<Answer>,
  ): DemoTool => {
    const { $schema: _, ...parameters } = z.toJSONSchema(schema);
    return {
      name,
      description,
      parameters,
      async run(args) {
        const { data } = schema.safeParse(args);
        const answer = data === undefined ? refusal("The arguments do not fit.") : await run(data);
        const isRefused = typeof answer === "object";
        event("tool", { name, done: !isRefused, ...(isRefused && { why: answer.refused }) });
        return isRefused ? answer.refused : answer;
      },
    };
  };
}
