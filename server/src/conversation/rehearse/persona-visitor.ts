import { SCENARIO_DEFAULTS } from "@svc/contract/schemas";
import type { ScenarioPersona } from "@svc/contract/types";
import type { LanguageModel, ModelRequest } from "#models";
import { AppError } from "#platform";
import * as z from "zod";
import type { Recording } from "./recording.ts";
import { isPossible } from "./visitor.ts";
import type { Visitor, VisitorStep } from "./visitor.ts";

/** A visitor whom a model plays. */
export class PersonaVisitor implements Visitor {
  readonly #persona: ScenarioPersona;
  readonly #instructions: string;
  readonly #model: LanguageModel;

  constructor(persona: ScenarioPersona, language: string, model: LanguageModel) {
    this.#persona = persona;
    this.#instructions = `${RULES}\n# Visitor\n${JSON.stringify({ language, ...persona })}`;
    this.#model = model;
  }

  async next(heard: Recording): Promise<VisitorStep | undefined> {
    const said = heard.turns.filter(({ role }) => role === "user").length;
    if (said >= (this.#persona.most_turns ?? SCENARIO_DEFAULTS.most_turns)) return undefined;
    const { does, words } = await this.#ask([
      { role: "system", content: this.#instructions },
      // To the model that plays the visitor, the agent is the other side.
      ...heard.turns.map(({ role, content }) => ({
        role: role === "user" ? ("assistant" as const) : ("user" as const),
        content,
      })),
      { role: "system", content: `Open card: ${heard.openCard?.kind ?? "none"}. What do you do?` },
    ]);
    const act = does === "confirms_email" ? { confirms_email: words } : DISMISSES;
    if (does === "leaves" || (does === "says" && words.trim() === "")) return undefined;
    // A model that wants to use a card that is not there says something instead.
    return does === "says" || !isPossible(act, heard) ? { says: words } : act;
  }

  left(): [] {
    return [];
  }

  async #ask(messages: ModelRequest["messages"]): Promise<z.output<typeof Move>> {
    const { signal } = new AbortController();
    try {
      const { text } = await this.#model.ask({ messages, schema: MOVE_SCHEMA, signal });
      return Move.parse(JSON.parse(text));
    } catch (cause) {
      throw new AppError("conflict", {
        what: `${this.#model.name} does not play the visitor.`,
        why: `Asked what a visitor does next, it gave no answer that fits: ${(cause as Error).message.split("\n", 1)[0]}.`,
        fix: "Name a model that answers by a JSON schema, or write the visitor as a script.",
      });
    }
  }
}

const DISMISSES = { dismisses_card: true } as const;

const RULES = `You play a visitor of a website who talks with a demo agent. Stay in your part and never help the agent.
Say what such a person would say next, in the given language, in one or two sentences. Ask for what you want; answer the
agent's questions with what you know, and with nothing else. When you have what you came for, or see that you will not get
it, leave. An address is given on an open email card only.`;

const Move = z.strictObject({
  does: z.enum(["says", "confirms_email", "dismisses_card", "leaves"]),
  words: z.string().describe("What is said, or the address that is confirmed. Else empty."),
});

const { $schema: _, ...MOVE_SCHEMA } = z.toJSONSchema(Move) as Record<string, unknown>;
