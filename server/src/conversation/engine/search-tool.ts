import type { ToolOffer } from "#models";
import { orUnavailable } from "#platform";
import * as z from "zod";
import type { ConversationOptions, DemoAgent } from "../conversation.ts";
import { isLarge } from "../prompt/instructions.ts";

/** A tool as the model sees it, and what the server does when it is called. */
export interface DemoTool extends ToolOffer {
  /** Runs the tool and returns the answer for the model. Never throws for invalid arguments, because models send them. */
  run(args: unknown): Promise<string>;
}

/** The one thing that a model must wait for: everything else it directs in its words. */
export function searchTool(
  { config, knowledge }: DemoAgent,
  { searchKnowledge, listener }: Pick<ConversationOptions, "searchKnowledge" | "listener">,
): DemoTool[] {
  if (!config.tools.includes("search_knowledge") || !isLarge(knowledge)) return [];
  const { $schema: _, ...parameters } = z.toJSONSchema(query);
  return [
    {
      name: "search_knowledge",
      description: `Finds what the knowledge says about something. Search before you answer, in the language of the knowledge (${config.recordLanguage}), with the words that a manual would use for it and their synonyms.`,
      parameters,
      async run(args) {
        const { data } = query.safeParse(args);
        if (data === undefined) return "The arguments do not fit.";
        const search = (): ReturnType<typeof searchKnowledge> =>
          searchKnowledge(data.query, { onlyKnown: true });
        try {
          const sections = await orUnavailable(search, WITHIN_MS);
          listener.event("search", { sections: sections.map(({ name }) => name) });
          if (sections.length === 0) return "The knowledge says nothing about this.";
          return sections.map(({ name, text }) => `## ${name}\n${text}`).join("\n\n");
        } catch (error) {
          listener.event("search", { sections: [], why: String(error) });
          return "The knowledge cannot be searched right now.";
        }
      },
    },
  ];
}

/** The visitor waits. Longer than the index of five megabytes takes. */
const WITHIN_MS = 5_000;

const query = z.strictObject({ query: z.string() });
