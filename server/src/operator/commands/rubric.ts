import { resolve } from "node:path";
import { findAccount } from "#accounts";
import { findAgent, readAgent } from "#agents";
import type { AgentSource } from "#agents";
import { loadFixtures, rubricOf, scoreFixtures, tryRubric } from "#evaluation";
import type { Rubric } from "#evaluation";
import { ROWS, parseNumber } from "../arguments/parse-arguments.ts";
import { ACCOUNT, defineCommand, given, optional } from "../command.ts";
import type { Command, Option } from "../command.ts";
import { ScoreOutput, TryOutput, scorePage, sumUp, tryPage } from "../pages/rubric-page.ts";
import { EXIT } from "../terminal/explain-error.ts";

const MODEL: Option = {
  flags: "--model <name>",
  summary: "ask this model in place of the configured one",
};

const rubricScore = defineCommand({
  name: "rubric score",
  summary: "Let a model judge conversations whose right evaluation is known",
  options: [MODEL],
  examples: [
    ["svc rubric score", "asks the configured model; exits with 1 unless all agree"],
    ["svc rubric score --model small-model", "tells whether a cheaper one would do"],
  ],
  output: ScoreOutput,
  run: async (operator, input) => {
    const models = operator.models(optional(input, "model"));
    const fixtures = await loadFixtures();
    const score = await scoreFixtures(models, fixtures, (done) =>
      operator.progress(done, fixtures.length, "conversations judged"),
    );
    const sum = (of: "agreed" | "compared"): number =>
      score.fields.reduce((total, field) => total + field[of], 0);
    return {
      model: models.first.name,
      fixtures: fixtures.length,
      agreed: sum("agreed"),
      compared: sum("compared"),
      ...score,
    };
  },
  render: scorePage,
  exitCode: ({ disagreements, unjudged }) =>
    disagreements.length + unjudged.length === 0 ? EXIT.done : EXIT.refused,
});

const rubricTry = defineCommand({
  name: "rubric try",
  summary: "Judge evaluated sessions again by a changed folder, and write nothing",
  arguments: [{ name: "dir", summary: "the agent's folder; its name is the agent's" }],
  options: [
    {
      flags: "--account <account>",
      summary: `whose agent it is: ${ACCOUNT.summary}`,
      required: true,
    },
    { flags: "--last <sessions>", summary: "how many of its newest sessions", default: "20" },
    MODEL,
  ],
  examples: [
    [
      "svc rubric try agents/guide --account acme --last 50",
      "shows who would become qualified, and what would be answered more or less often",
    ],
  ],
  output: TryOutput,
  run: async (operator, input) => {
    const last = parseNumber(given(input, "last"), "number of sessions", ROWS)!;
    const folder = given(input, "dir");
    const source = await readAgent(resolve(operator.directory, folder), folder, {
      needsWords: false,
    });
    const account = await findAccount(operator.db(), given(input, "account"));
    const agent = await findAgent(operator.db(), source.slug, account.id);
    const models = operator.models(optional(input, "model"));
    const tried = await tryRubric(
      operator.db(),
      models,
      { accountId: account.id, agentId: agent.id },
      {
        rubric: rubricIn(source),
        last,
        onJudged: (done, total) => operator.progress(done, total, "sessions judged"),
      },
    );
    return { slug: agent.slug, agent_id: agent.id, model: models.first.name, ...sumUp(tried) };
  },
  render: tryPage,
  exitCode: ({ failed }) => (failed === 0 ? EXIT.done : EXIT.refused),
});

function rubricIn({ config, files }: AgentSource): Rubric {
  const texts = new Map(files.map(({ path, bytes }) => [path, bytes.toString("utf8")]));
  return rubricOf({ config, knowledge: config.knowledge.map(({ path }) => texts.get(path)!) });
}

export const rubricCommands: Command[] = [rubricScore, rubricTry];
