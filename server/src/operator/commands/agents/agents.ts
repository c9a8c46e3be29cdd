import { findAccount } from "#accounts";
import {
  describeConfig,
  findAgent,
  initAgent,
  listVersions,
  loaderSnippet,
  mintPreviewToken,
  shortSnippet,
} from "#agents";
import { transact } from "#platform";
import { AgentChange, ConsoleAgents } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { ask } from "../../ask.ts";
import { folderOf } from "../../arguments/parse-arguments.ts";
import { parseSpan } from "../../arguments/parse-time.ts";
import { ACCOUNT, defineCommand, given, optional } from "../../command.ts";
import type { Argument, Command } from "../../command.ts";
import type { AdminRoute } from "../../console/admin-request.ts";
import { listSeenAgents, pauseAgent, resumeAgent } from "../../console/agent-routes.ts";
import type { Operator } from "../../operator.ts";
import { FunnelCounts, funnelOf, startOfDay } from "../../pages/funnel-output.ts";
import { funnelLine } from "../../pages/funnel-page.ts";
import { facts, heading, table } from "../../terminal/terminal.ts";
import { ago, moment } from "../../terminal/times.ts";
import { agentsFromCommands } from "./agents-from.ts";
import { agentsGaps } from "./agents-gaps.ts";
import { agentsPlanCommands } from "./agents-plan.ts";
import { agentsRemove } from "./agents-remove.ts";
import { agentsCheckCommands } from "./agents-check.ts";
import { agentsRehearseCommands } from "./agents-rehearse.ts";

const AGENT: Argument = { name: "agent", summary: "its id, or its folder's name" };
const STATE = z.enum(["live", "paused"]);

const agentsInit = defineCommand({
  name: "agents init",
  summary: "Write a commented example to start from",
  arguments: [{ name: "[dir]", summary: "a new folder, agents/guide when left out" }],
  examples: [
    ["svc agents init", "writes an agent that demonstrates Svc into agents/guide"],
    ["svc agents init agents/sales", "starts another one"],
  ],
  output: z.strictObject({ directory: z.string(), files: z.array(z.string()) }),
  run: async (operator, input) => {
    const [at, directory] = folderOf(operator, input, optional(input, "dir") ?? "agents/guide");
    const files = await initAgent(at, directory);
    return { directory, files };
  },
  render: ({ directory, files }, terminal) =>
    [
      `Wrote ${files.length} files into ${directory}. Begin with ${directory}/agent.yaml.`,
      "",
      facts(terminal, [
        ["try", `svc agents rehearse ${directory}`],
        ["look", `svc agents plan ${directory} --account <account>`],
        ["write", `svc agents apply ${directory} --account <account>`],
      ]),
    ].join("\n"),
});

const agentsList = defineCommand({
  name: "agents list",
  summary: "List the agents",
  options: [{ flags: "--account <account>", summary: `only of one account: ${ACCOUNT.summary}` }],
  examples: [
    ["svc agents list", "shows all, account by account"],
    ["svc agents list --account acme", "only this account's"],
  ],
  output: ConsoleAgents,
  run: (operator, input) =>
    ask(operator, listSeenAgents, { query: { account: optional(input, "account") } }),
  render: ({ agents }, terminal) =>
    agents.length === 0
      ? "No agents yet. Start one: svc agents init"
      : table(terminal, agents, [
          { title: "AGENT", cell: (one) => one.slug },
          { title: "ID", cell: (one) => one.id },
          { title: "ACCOUNT", cell: (one) => one.account_name, flexible: true },
          {
            title: "STATE",
            cell: (one) => one.state,
            tone: (one) => (one.state === "live" ? "good" : "warn"),
          },
          { title: "VERSION", cell: (one) => String(one.version), align: "right" },
          { title: "WRITTEN", cell: (one) => ago(terminal, one.version_at), optional: true },
        ]),
});

const agentsShow = defineCommand({
  name: "agents show",
  summary: "Show one agent: its settings and its versions",
  arguments: [AGENT],
  examples: [["svc agents show guide", "by its folder's name, where only one account has it"]],
  output: z.strictObject({
    id: z.string(),
    slug: z.string(),
    account: z.string(),
    client_id: z.string(),
    state: STATE,
    version: z.int(),
    added_at: z.iso.datetime(),
    /** Keyed by the names in agent.yaml. */
    settings: z.record(z.string(), z.string()),
    funnel_30_days: FunnelCounts,
    /** The newest 20. */
    versions: z.array(z.strictObject({ version: z.int(), at: z.iso.datetime(), by: z.string() })),
  }),
  run: async (operator, input) => {
    const db = operator.db();
    const agent = await findAgent(db, given(input, "agent"));
    const account = await findAccount(db, String(agent.accountId));
    return {
      id: agent.id,
      slug: agent.slug,
      account: account.name,
      client_id: account.clientId,
      state: agent.state,
      version: agent.version,
      added_at: agent.createdAt.toISOString(),
      settings: Object.fromEntries(describeConfig(agent.config)),
      funnel_30_days: await countsOf30Days(operator, agent.id),
      versions: (await listVersions(db, agent.id)).map(({ version, createdAt, createdBy }) => ({
        version,
        at: createdAt.toISOString(),
        by: createdBy,
      })),
    };
  },
  render: ({ settings, versions, funnel_30_days: funnel, ...agent }, terminal) =>
    [
      heading(terminal, agent.slug),
      facts(terminal, [
        ["agent id", agent.id],
        ["account", `${agent.account} (${agent.client_id})`],
        ["state", agent.state, agent.state === "live" ? "good" : "warn"],
        ["version", String(agent.version)],
        ["added", moment(terminal, agent.added_at)],
        ["last 30 days", `${funnelLine(funnel)} (svc funnel ${agent.slug})`],
      ]),
      "",
      heading(terminal, "Settings"),
      table(terminal, Object.entries(settings), [
        { title: "FIELD", cell: ([field]) => field },
        { title: "VALUE", cell: ([, value]) => value, flexible: true },
      ]),
      "",
      heading(terminal, "Versions"),
      table(terminal, versions, [
        { title: "VERSION", cell: (one) => String(one.version), align: "right" },
        { title: "WRITTEN", cell: (one) => ago(terminal, one.at) },
        { title: "BY", cell: (one) => one.by, flexible: true },
      ]),
    ].join("\n"),
});

/** The 30 days that `svc funnel` shows too. */
async function countsOf30Days(operator: Operator, agentId: string): Promise<FunnelCounts> {
  const since = startOfDay(new Date(operator.clock.nowMs() - 30 * 86_400_000));
  const { steps } = await funnelOf(operator.db(), { agentId, since });
  return Object.fromEntries(steps.map(({ step, count }) => [step, count]));
}

const agentsPause = stateCommand("pause", pauseAgent, {
  summary: "Let an agent start no more sessions; those that run go on",
  done: "is paused: it starts no more sessions, and those that run go on",
});

const agentsResume = stateCommand("resume", resumeAgent, {
  summary: "Let a paused agent start sessions again",
  done: "is live: visitors can start it",
});

function stateCommand(
  verb: string,
  route: AdminRoute<types.AgentChange>,
  words: { summary: string; done: string },
): Command {
  return defineCommand({
    name: `agents ${verb}`,
    summary: words.summary,
    arguments: [AGENT],
    examples: [[`svc agents ${verb} guide`, "takes effect at once"]],
    output: AgentChange,
    run: (operator, input) => ask(operator, route, { params: { id: given(input, "agent") } }),
    render: ({ slug, changed }) => `${slug} ${words.done}.${changed ? "" : " It was before."}`,
  });
}

const agentsPreview = defineCommand({
  name: "agents preview",
  summary: "Make a link with which anyone tries an agent; it is shown this once",
  arguments: [AGENT],
  options: [
    { flags: "--expires <time>", summary: "how long it works: 30m, 24h, 7d", default: "24h" },
    { flags: "--label <text>", summary: "what it is for", default: "preview" },
  ],
  examples: [
    ["svc agents preview guide", "works for a day"],
    ['svc agents preview guide --expires 7d --label "review by sales"', "works for a week"],
  ],
  output: z.strictObject({
    id: z.int(),
    agent_id: z.string(),
    slug: z.string(),
    label: z.string(),
    expires_at: z.iso.datetime(),
    /** The link is this address and `#svc_preview=` with the token. */
    page: z.string(),
    token: z.string(),
  }),
  run: (operator, input) =>
    transact(operator.db(), async (trx) => {
      const agent = await findAgent(trx, given(input, "agent"));
      const expiresInSecs = parseSpan(given(input, "expires"), "--expires");
      const label = given(input, "label");
      const minted = await mintPreviewToken(trx, operator.actor, operator.cell(), agent, {
        label,
        expiresInSecs,
      });
      return {
        id: minted.id,
        agent_id: agent.id,
        slug: agent.slug,
        label: minted.label,
        expires_at: minted.expiresAt.toISOString(),
        page: `${operator.publicUrl() ?? "https://YOUR-SVC-ADDRESS"}/preview/${agent.id}`,
        token: minted.token,
      };
    }),
  render: ({ slug, label, expires_at, page, token }, terminal) =>
    [
      `Preview of ${slug}, "${label}". It ends ${ago(terminal, expires_at)}.`,
      "Keep this link: it is shown this once, only its token's hash is stored.",
      "",
      `  ${page}#svc_preview=${token}`,
      "",
      "The part from # on does the same at the end of the address of any page that",
      "loads the SDK. Sessions started with it are tests: evaluated, but never",
      "exported, delivered or mailed.",
    ].join("\n"),
});

const agentsSnippet = defineCommand({
  name: "agents snippet",
  summary: "Print what a page needs to start an agent",
  arguments: [{ name: "agent", summary: "its id, or its folder's name" }],
  options: [
    { flags: "--short", summary: "the shorter form: Svc can be called once it has loaded" },
  ],
  examples: [
    ["svc agents snippet guide", "to paste into every page that starts a demo"],
    ["svc agents snippet guide --short", "for pages that call Svc only in a click"],
  ],
  output: z.strictObject({ agent_id: z.string(), snippet: z.string() }),
  run: async (operator, input) => {
    const { id } = await findAgent(operator.db(), given(input, "agent"));
    const print = input.options["short"] === true ? shortSnippet : loaderSnippet;
    return {
      agent_id: id,
      snippet: print(operator.publicUrl() ?? "https://YOUR-SVC-ADDRESS", id),
    };
  },
  render: ({ snippet }) => snippet,
});

export const agentsCommands: Command[] = [
  agentsInit,
  ...agentsFromCommands,
  agentsGaps,
  ...agentsPlanCommands,
  ...agentsCheckCommands,
  ...agentsRehearseCommands,
  agentsList,
  agentsShow,
  agentsPause,
  agentsResume,
  agentsPreview,
  agentsSnippet,
  agentsRemove,
];
