import { findAccount, listAccounts } from "#accounts";
import { listAgents } from "#agents";
import type { Db } from "#platform";
import { endpointHealth, findEndpoint, listDeliveries, listEndpoints } from "#webhooks";
import type { Endpoint } from "#webhooks";
import { DeliveryRow, EndpointHealth } from "@svc/contract/schemas";
import * as z from "zod";
import { ACCOUNT, defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { toDeliveryRow } from "../../pages/delivery-output.ts";
import { renderEndpoint, toHealth } from "../../pages/endpoint-page.ts";
import { table } from "../../terminal/terminal.ts";
import { ENDPOINT, webhooksAdd } from "./webhooks-add.ts";
import { webhooksChangeCommands } from "./webhooks-change.ts";
import { webhooksRotate } from "./webhooks-rotate.ts";
import { webhooksTest } from "./webhooks-test.ts";

const EndpointFacts = {
  id: z.string(),
  url: z.string(),
  client_id: z.string(),
  account: z.string(),
  state: z.enum(["live", "paused", "removed"]),
  agents: z
    .array(z.strictObject({ id: z.string(), slug: z.string() }))
    .exactOptional()
    .describe("Absent: all agents of the account"),
  replay_exhausted: z.boolean(),
  added_at: z.iso.datetime(),
  secret_staged_at: z.iso
    .datetime()
    .exactOptional()
    .describe("Since when a new secret has been staged, which is not activated yet"),
  previous_secret_until: z.iso
    .datetime()
    .exactOptional()
    .describe("While a secret is rotated: until when the old one signs too"),
  health: EndpointHealth,
};

const webhooksList = defineCommand({
  name: "webhooks list",
  summary: "List the receivers, and how they do",
  options: [{ flags: "--account <account>", summary: `only of one account: ${ACCOUNT.summary}` }],
  examples: [
    ["svc webhooks list", "shows all, account by account"],
    ["svc webhooks list --account acme", "one customer's"],
  ],
  output: z.strictObject({ endpoints: z.array(z.strictObject(EndpointFacts)) }),
  run: async (operator, input) => {
    const db = operator.db();
    const account = optional(input, "account");
    const only = account === undefined ? undefined : await findAccount(db, account);
    return { endpoints: await describe(db, await listEndpoints(db, only?.id)) };
  },
  render: ({ endpoints }, terminal) =>
    endpoints.length === 0
      ? "No receivers yet. Add one: svc webhooks add https://… --account <account>"
      : table(terminal, endpoints, [
          { title: "ID", cell: (one) => one.id },
          { title: "ACCOUNT", cell: (one) => one.account },
          {
            title: "STATE",
            cell: (one) => one.state,
            tone: (one) => (one.state === "live" ? "good" : "warn"),
          },
          { title: "WAITING", cell: ({ health }) => count(health.waiting), align: "right" },
          {
            title: "FAILED",
            cell: ({ health }) => count(health.failed),
            align: "right",
            tone: ({ health }) => (health.failed === 0 ? undefined : "bad"),
          },
          { title: "SENT TO", cell: (one) => one.url, flexible: true },
          {
            title: "AGENTS",
            cell: ({ agents }) => agents?.map(({ slug }) => slug).join(", ") ?? "all",
            optional: true,
          },
        ]),
});

const webhooksShow = defineCommand({
  name: "webhooks show",
  summary: "Show one receiver: settings, how it does, its last deliveries, what to do",
  arguments: [ENDPOINT],
  examples: [
    ["svc webhooks show hook_aaabcdefghij2345klmnop", "says what to do if something is wrong"],
  ],
  output: z.strictObject({
    ...EndpointFacts,
    deliveries: z.array(DeliveryRow).describe("The newest ten"),
  }),
  run: async (operator, input) => {
    const db = operator.db();
    const endpoint = await findEndpoint(db, given(input, "id"));
    const [described] = await describe(db, [endpoint]);
    const deliveries = await listDeliveries(db, { endpointId: endpoint.id, limit: 10 });
    return { ...described!, deliveries: deliveries.map(toDeliveryRow) };
  },
  render: renderEndpoint,
});

/** With the names that people know, and how each does. */
async function describe(
  db: Db,
  endpoints: Endpoint[],
): Promise<z.infer<z.ZodObject<typeof EndpointFacts>>[]> {
  const accounts = new Map((await listAccounts(db)).map((one) => [one.id, one]));
  const limited = endpoints.filter(({ agentIds }) => agentIds !== null);
  const slugs = await slugsOf(db, new Set(limited.map(({ accountId }) => accountId)));
  const found = await endpointHealth(
    db,
    endpoints.map(({ id }) => id),
  );
  const health = new Map(found.map((one) => [one.endpointId, one]));
  return endpoints.map(({ id, agentIds, stagedAt, previousUntil, ...endpoint }) => ({
    id,
    url: endpoint.url,
    client_id: accounts.get(endpoint.accountId)!.clientId,
    account: accounts.get(endpoint.accountId)!.name,
    state: endpoint.state,
    ...(agentIds !== null && {
      agents: agentIds.map((agentId) => ({ id: agentId, slug: slugs.get(agentId) ?? agentId })),
    }),
    replay_exhausted: endpoint.replayExhausted,
    added_at: endpoint.createdAt.toISOString(),
    ...(stagedAt !== null && { secret_staged_at: stagedAt.toISOString() }),
    ...(previousUntil !== null && { previous_secret_until: previousUntil.toISOString() }),
    health: toHealth(health.get(id)!),
  }));
}

async function slugsOf(db: Db, accountIds: Iterable<number>): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const accountId of accountIds) {
    for (const { id, slug } of await listAgents(db, accountId)) slugs.set(id, slug);
  }
  return slugs;
}

function count(number: number): string {
  return number.toLocaleString("en");
}

export const webhooksCommands: Command[] = [
  webhooksAdd,
  webhooksList,
  webhooksShow,
  webhooksTest,
  webhooksRotate,
  ...webhooksChangeCommands,
];
