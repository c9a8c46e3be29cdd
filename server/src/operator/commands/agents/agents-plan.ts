import { findAccount, readSettings } from "#accounts";
import {
  applyAgent,
  draftAgentWords,
  loaderSnippet,
  planAgent,
  readAgent,
  sendEmbedding,
} from "#agents";
import type { AgentSource } from "#agents";
import { AppError, transact } from "#platform";
import * as z from "zod";
import { folderOf } from "../../arguments/parse-arguments.ts";
import { ACCOUNT, defineCommand, given } from "../../command.ts";
import type { Argument, Command, Input, Option } from "../../command.ts";
import type { Operator } from "../../operator.ts";
import { limitInMoney, refuseUnpriced } from "../accounts-set.ts";
import { planPage, PlanOutput, toPlanOutput } from "../../pages/plan-page.ts";
import { facts, tone } from "../../terminal/terminal.ts";

const FOLDER: Argument = { name: "dir", summary: "the agent's folder; its name is the agent's" };
const OF_ACCOUNT: Option = {
  flags: "--account <account>",
  summary: `whose agent it is: ${ACCOUNT.summary}`,
  required: true,
};

const agentsPlan = defineCommand({
  name: "agents plan",
  summary: "Show what a folder would change, and change nothing",
  arguments: [FOLDER],
  options: [OF_ACCOUNT],
  examples: [
    ["svc agents plan agents/guide --account acme", "shows each field with its old and new value"],
    ["svc agents plan agents/guide --account acme --json", "the same for programs"],
  ],
  output: PlanOutput,
  run: async (operator, input) => {
    const source = await readFolder(operator, input);
    const account = await findAccount(operator.db(), given(input, "account"));
    return toPlanOutput(await planAgent(operator.db(), account.id, source), account.name);
  },
  render: (plan, terminal) =>
    [
      planPage(plan, terminal),
      "",
      plan.changes.length === 0 && !plan.removed
        ? `${tone(terminal, "good", "Nothing to do.")} The folder says what runs.`
        : "Nothing has changed yet. `svc agents apply` with the same words makes it so.",
    ].join("\n"),
});

const agentsApply = defineCommand({
  name: "agents apply",
  summary: "Make a folder's agent the one that new sessions run",
  arguments: [FOLDER],
  options: [OF_ACCOUNT],
  examples: [
    [
      "svc agents apply agents/guide --account acme",
      "prints the plan, the agent's id and its snippet; a language that is not built in is drafted first",
    ],
  ],
  output: z.strictObject({
    plan: PlanOutput,
    /** False when the folder says what runs already. */
    applied: z.boolean(),
    agent_id: z.string(),
    version: z.int(),
    snippet: z.string(),
  }),
  run: async (operator, input) => {
    await draftMissingWords(operator, input);
    const source = await readFolder(operator, input);
    const { account, applied } = await transact(operator.db(), async (trx) => {
      const found = await findAccount(trx, given(input, "account"));
      const { actor } = operator;
      const { limits } = await readSettings(trx, found.id);
      const isLimited = source.config.limits.dailyCost !== undefined;
      refuseUnpriced(operator, isLimited ? "daily_cost" : limitInMoney(limits));
      const written = await applyAgent(trx, actor, operator.cell(), found.id, source);
      await sendEmbedding(trx, operator.jobs(), [written]);
      return { account: found, applied: written };
    });
    const { plan, agentId, version } = applied;
    return {
      plan: toPlanOutput(plan, account.name),
      applied: plan.current?.version !== version || plan.isRemoved,
      agent_id: agentId,
      version,
      snippet: loaderSnippet(operator.publicUrl() ?? "https://YOUR-SVC-ADDRESS", agentId),
    };
  },
  render: ({ plan, applied, agent_id, version, snippet }, terminal) =>
    [
      planPage(plan, terminal),
      "",
      applied
        ? `${tone(terminal, "good", plan.version === version ? "It is back." : `Version ${version} is written.`)} New sessions run it from now on.`
        : `${tone(terminal, "good", "Nothing to do.")} The folder says what runs.`,
      "",
      facts(terminal, [["agent id", agent_id]]),
      "",
      "Paste this on every page that starts it:",
      "",
      snippet,
    ].join("\n"),
});

function readFolder(operator: Operator, input: Input): Promise<AgentSource> {
  return readAgent(...folderOf(operator, input));
}

/** A new language is drafted first, and applied once its owner has read the draft. */
async function draftMissingWords(operator: Operator, input: Input): Promise<void> {
  const drafted = await draftAgentWords(...folderOf(operator, input), {
    begin: () => ({ models: operator.models(), signal: operator.interrupted() }),
    onProgress: (done, total, code) =>
      operator.progress(done, total, `parts of our texts drafted in ${code}`),
  });
  if (drafted.length === 0) return;
  throw new AppError("invalid_input", {
    what: "Nothing is applied yet: the drafts of a model must be reviewed first.",
    why: drafted
      .map((one) => `${one.file}: ${one.drafted} new text${one.drafted === 1 ? "" : "s"}`)
      .join("\n"),
    fix: "Read them, correct them, write `reviewed: true` at the top, and run the same command again.",
  });
}

export const agentsPlanCommands: Command[] = [agentsPlan, agentsApply];
