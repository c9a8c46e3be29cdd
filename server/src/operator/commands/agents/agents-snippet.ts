import { findAgent, loaderSnippet, patientSnippet } from "#agents";
import * as z from "zod";
import { defineCommand, given } from "../../command.ts";
import type { Command } from "../../command.ts";

const agentsSnippet = defineCommand({
  name: "agents snippet",
  summary: "Print what a page needs to start an agent",
  arguments: [{ name: "agent", summary: "its id, or its folder's name" }],
  options: [
    { flags: "--patient", summary: "the longer form: Svc can be called before it has loaded" },
  ],
  examples: [
    ["svc agents snippet guide", "to paste into every page that starts a demo"],
    ["svc agents snippet guide --patient", "for pages that call Svc right away"],
  ],
  output: z.strictObject({ agent_id: z.string(), snippet: z.string() }),
  run: async (operator, input) => {
    const { id } = await findAgent(operator.db(), given(input, "agent"));
    const print = input.options["patient"] === true ? patientSnippet : loaderSnippet;
    return {
      agent_id: id,
      snippet: print(operator.publicUrl() ?? "https://YOUR-SVC-ADDRESS", id),
    };
  },
  render: ({ snippet }) => snippet,
});

export const agentsSnippetCommands: Command[] = [agentsSnippet];
