import { ConsoleEndpoint, EndpointDetail } from "@svc/contract/schemas";
import * as z from "zod";
import { ask } from "../../ask.ts";
import { ACCOUNT, defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { listSeenEndpoints, readEndpoint } from "../../console/endpoint-routes.ts";
import { renderEndpoint } from "../../pages/endpoint-page.ts";
import { table } from "../../terminal/terminal.ts";
import { ENDPOINT, webhooksAdd } from "./webhooks-add.ts";
import { webhooksChangeCommands } from "./webhooks-change.ts";
import { webhooksRotate } from "./webhooks-rotate.ts";
import { webhooksTest } from "./webhooks-test.ts";

const webhooksList = defineCommand({
  name: "webhooks list",
  summary: "List the receivers, and how they do",
  options: [{ flags: "--account <account>", summary: `only of one account: ${ACCOUNT.summary}` }],
  examples: [
    ["svc webhooks list", "shows all, account by account"],
    ["svc webhooks list --account acme", "one customer's"],
  ],
  output: z.strictObject({ endpoints: z.array(ConsoleEndpoint) }),
  run: async (operator, input) => {
    const query = { account: optional(input, "account") };
    return { endpoints: (await ask(operator, listSeenEndpoints, { query })).endpoints };
  },
  render: ({ endpoints }, terminal) =>
    endpoints.length === 0
      ? "No receivers yet. Add one: svc webhooks add https://… --account <account>"
      : table(terminal, endpoints, [
          { title: "ID", cell: (one) => one.id },
          { title: "ACCOUNT", cell: (one) => one.account_name },
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
  output: EndpointDetail,
  run: (operator, input) => ask(operator, readEndpoint, { params: { id: given(input, "id") } }),
  render: renderEndpoint,
});

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
