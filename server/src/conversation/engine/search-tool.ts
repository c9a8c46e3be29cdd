import { isLarge } from "#agents";
import type { ToolOffer } from "#models";
import { orUnavailable } from "#platform";
import * as z from "zod";
import type { ConversationOptions, DemoAgent } from "../conversation.ts";

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
  const { $schema: _, ...parameters } = z.toJSONSchema(Queries);
  return [
    {
      name: "search_knowledge",
      description: `Finds what the knowledge says about something. Search before you answer. Write three short queries for one question, all in the language of the knowledge (${config.recordLanguage}): the question itself, the words that a manual's heading would use for it, and other technical words for the same.`,
      parameters,
      async run(args) {
        const { data } = asked.safeParse(args);
        const { charge } = listener;
        if (data === undefined) return "The arguments do not fit.";
        const queries = phrasings(data);
        const search = (): ReturnType<typeof searchKnowledge> =>
          searchKnowledge(queries, { onlyKnown: true, charge });
        try {
          const sections = await orUnavailable(search, WITHIN_MS);
          listener.event("search", {
            sections: sections.map(({ name }) => name),
            // They tell the owner what nobody has written down yet.
            ...(sections.length === 0 && { queries: queries.slice(0, 4).map(shortened) }),
          });
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

const MAX_TOLD = 200;

function shortened(query: string): string {
  return query.slice(0, MAX_TOLD);
}

const Queries = z.strictObject({ queries: z.array(z.string()) });
/** Models also write what they were asked for in earlier releases, and one where they were asked for several. */
const asked = z.union([
  Queries,
  z.strictObject({ queries: z.string() }),
  z.strictObject({ query: z.string() }),
]);

function phrasings(found: z.infer<typeof asked>): string[] {
  return ["query" in found ? found.query : found.queries].flat();
}
