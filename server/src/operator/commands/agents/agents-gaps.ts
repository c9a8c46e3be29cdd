import {
  addGapSections,
  DemoAgents,
  draftSections,
  findAgent,
  gapSection,
  KnowledgeSearch,
} from "#agents";
import type { DraftedSection, ListedAgent } from "#agents";
import { isModelFailure } from "#models";
import type { AgentGap } from "@svc/contract/types";
import { folderOf, parseNumber, ROWS } from "../../arguments/parse-arguments.ts";
import { parseSince } from "../../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import type { Operator } from "../../operator.ts";
import { gapsOf } from "../../pages/gaps-output.ts";
import { GapsPage, renderGaps } from "../../pages/gaps-page.ts";

/** More than most agents have in a month, and some seconds of reading. */
const MAX_SESSIONS = 20_000;

export const agentsGaps: Command = defineCommand({
  name: "agents gaps",
  summary: "List what visitors asked and an agent could not answer, and draft sections for it",
  arguments: [{ name: "agent", summary: "its id, or its folder's name" }],
  options: [
    { flags: "--since <time>", summary: "from then on: 24h, 7d or 2026-11-01", default: "30d" },
    { flags: "--limit <rows>", summary: "how many gaps at most", default: "10" },
    { flags: "--into <dir>", summary: "add a section for each to this agent's folder, to fill in" },
    { flags: "--without-model", summary: "draft nothing, even where a model is set up" },
  ],
  examples: [
    ["svc agents gaps guide", "the last 30 days, what most visitors asked first"],
    ["svc agents gaps guide --since 7d --limit 3 --into agents/guide", "drafts three sections"],
  ],
  output: GapsPage,
  run: async (operator, input) => {
    const agent = await findAgent(operator.db(), given(input, "agent"), undefined, {
      removed: true,
    });
    const found = await gapsOf(operator.db(), agent, {
      since: parseSince(input, operator.clock.nowMs())!,
      limit: parseNumber(given(input, "limit"), "number of rows", ROWS)!,
      maxSessions: MAX_SESSIONS,
    });
    if (optional(input, "into") === undefined) return found;
    const [at, shown] = folderOf(operator, input, given(input, "into"));
    const isDrafted = input.options["withoutModel"] !== true;
    const drafts = isDrafted ? await draftsFor(operator, agent, found.gaps) : NO_DRAFTS;
    const gaps = found.gaps.map((gap, index) => ({
      ...gap,
      draft: drafts.get(index) ?? gap.draft,
    }));
    const sections = gaps.map(({ draft }) => draft);
    const { file, added } = await addGapSections({ at, shown }, sections);
    return { ...found, gaps, written: { file, added, drafted: drafts.size } };
  },
  render: renderGaps,
});

const NO_DRAFTS: ReadonlyMap<number, string> = new Map();

/** What a model makes of the gaps and of the sections near them, by the places of the gaps. */
async function draftsFor(
  operator: Operator,
  { id, version, config }: ListedAgent,
  gaps: AgentGap[],
): Promise<ReadonlyMap<number, string>> {
  if (gaps.length === 0 || operator.modelPlaces().evaluation === undefined) return NO_DRAFTS;
  const agent = await new DemoAgents(operator.db()).read({ agentId: id, version });
  const search = new KnowledgeSearch(operator.db()).in(agent);
  const asked: Parameters<typeof draftSections>[0]["gaps"] = [];
  for (const { about, quotes } of gaps) {
    const questions = quotes.map(({ question }) => question);
    asked.push({ about, questions, near: (await search(about)).slice(0, 2) });
  }
  const signal = operator.interrupted();
  const drafts = await draftSections({
    models: operator.models(),
    brand: config.brand.name,
    language: config.recordLanguage,
    gaps: asked,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    const why = isModelFailure(error) ? error.message : "its answer could not be read";
    operator.note(`The model drafted nothing: ${why}.`);
    return new Map<number, DraftedSection>();
  });
  return new Map(
    [...drafts].map(([at, drafted]) => {
      const { about, sessions, first_at } = gaps[at]!;
      const { questions } = asked[at]!;
      return [at, gapSection({ about, questions, sessions, since: new Date(first_at), drafted })];
    }),
  );
}
