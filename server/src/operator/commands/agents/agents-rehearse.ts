import {
  contentTextsIn,
  KnowledgeSearch,
  knowledgeSections,
  readAgent,
  readScenarios,
} from "#agents";
import type { AgentSource, DemoAgent, Scenario, SearchKnowledge } from "#agents";
import { ChatModels, rehearse, startConversation } from "#conversation";
import { createLanguageModel } from "#models";
import { AppError } from "#platform";
import { defineCommand, given, optional, repeated } from "../../command.ts";
import type { Command, Input } from "../../command.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import { folderOf, parseNumber } from "../../arguments/parse-arguments.ts";
import { rehearsalPage, RehearsalOutput, toScenarioOutput } from "../../pages/rehearsal-page.ts";

const AT_ONCE = { min: 1, max: 100 } as const;

const agentsRehearse = defineCommand({
  name: "agents rehearse",
  summary: "Play an agent's scenarios against a model, and change nothing",
  arguments: [{ name: "dir", summary: "the agent's folder, with its scenarios/*.yaml" }],
  options: [
    { flags: "--model <name>", summary: "let this model talk in place of the configured ones" },
    {
      flags: "--model-url <url>",
      summary: "where it is, if not at SVC_MODEL_URL; another address gets no key",
    },
    {
      flags: "--only <text>",
      summary: "only scenarios with this in their file or name; may be given several times",
      repeatable: true,
    },
    { flags: "--at-once <number>", summary: "conversations at a time", default: "8" },
  ],
  examples: [
    ["svc agents rehearse agents/guide", "exits with 1 when a scenario fails, and shows the talk"],
    ["svc agents rehearse agents/guide --only price --only de-", "plays those that these name"],
    [
      "svc agents rehearse agents/guide --model small-model",
      "tells whether a cheaper one would do",
    ],
  ],
  output: RehearsalOutput,
  run: async (operator, input) => {
    const [at, typed] = folderOf(operator, input);
    const atOnce = parseNumber(given(input, "atOnce"), "number of conversations", AT_ONCE)!;
    const source = await readAgent(at, typed, { needsWords: false });
    const scenarios = chosen(await readScenarios(at, typed), input, typed);
    const { clock } = operator;
    const places = operator.conversationModels({
      name: optional(input, "model"),
      url: modelUrl(optional(input, "modelUrl")),
    });
    const agent = demoAgent(source);
    let search: SearchKnowledge | undefined;
    let unsearched: unknown;
    const played = await rehearse(scenarios, {
      startConversation,
      agent,
      models: new ChatModels({ ...places, clock }),
      visitorModel: createLanguageModel({ ...places.first, clock }),
      searchKnowledge: async (query, options) => {
        try {
          search ??= new KnowledgeSearch(operator.db()).in(agent);
          return await search(query, options);
        } catch (error) {
          unsearched ??= error;
          throw error;
        }
      },
      clock,
      atOnce,
      onPlayed: (done) => operator.progress(done, scenarios.length, "scenarios played"),
    });
    // An agent that could not look anything up failed for want of a database, not by itself.
    if (unsearched !== undefined) throw unsearched;
    const failed = played.filter(({ failures }) => failures.length > 0).length;
    return {
      slug: source.slug,
      model: places.first.name,
      passed: played.length - failed,
      failed,
      scenarios: played.map(toScenarioOutput),
    };
  },
  render: rehearsalPage,
  exitCode: ({ failed }) => (failed === 0 ? EXIT.done : EXIT.refused),
});

function chosen(scenarios: Scenario[], input: Input, folder: string): Scenario[] {
  const only = repeated(input, "only").map((text) => text.toLowerCase());
  const wanted = scenarios.filter(
    ({ file, name }) =>
      only.length === 0 || only.some((text) => `${file}\n${name}`.toLowerCase().includes(text)),
  );
  if (wanted.length > 0) return wanted;
  throw new AppError("not_found", {
    what: `There is no scenario to play in ${folder}.`,
    why:
      scenarios.length === 0
        ? "Its folder scenarios/ holds no *.yaml file."
        : `None of its ${scenarios.length} has that in its file or name.`,
    fix:
      scenarios.length === 0
        ? "Write one; `svc agents init` writes an agent with many."
        : "Leave --only out to play all of them.",
  });
}

function modelUrl(typed: string | undefined): string | undefined {
  if (typed === undefined || (URL.canParse(typed) && /^https?:/.test(typed))) return typed;
  throw new AppError("invalid_input", {
    what: `"${typed}" is no address of a model.`,
    why: "A model is asked over http or https.",
    fix: "Write the whole address, such as https://api.example.com/v1.",
  });
}

function demoAgent({ config, files }: AgentSource): DemoAgent {
  const texts = new Map(files.map(({ path, bytes }) => [path, bytes.toString("utf8")]));
  const knowledge = config.knowledge.map(({ path }) => ({ path, text: texts.get(path)! }));
  const bytes = new Map(files.map((file) => [file.sha256, file.bytes]));
  return {
    config,
    knowledge: knowledgeSections(knowledge),
    ...contentTextsIn(config, bytes),
  };
}

export const agentsRehearseCommands: Command[] = [agentsRehearse];
