import { AddedEndpoint } from "@svc/contract/schemas";
import type { EndpointOrder } from "@svc/contract/types";
import { ask } from "../../ask.ts";
import { ACCOUNT, defineCommand, given, repeated } from "../../command.ts";
import type { Argument, Command } from "../../command.ts";
import { addReceiver } from "../../console/endpoint-routes.ts";
import { facts, oneLine, wrap } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const webhooksAdd: Command = defineCommand({
  name: "webhooks add",
  summary: "Register a receiver; its secret is shown this once",
  arguments: [{ name: "url", summary: "where events are sent: https://example.com/hooks/svc" }],
  options: [
    {
      flags: "--account <account>",
      summary: `whose sessions: ${ACCOUNT.summary}`,
      required: true,
    },
    {
      flags: "--agent <agent>",
      summary: "only sessions of this agent (id or slug); give it several times for several",
      repeatable: true,
    },
    {
      flags: "--replay-exhausted",
      summary: "send what failed for good again by itself, once the receiver answers again",
    },
  ],
  examples: [
    ["svc webhooks add https://crm.example.com/svc --account acme", "all agents of the account"],
    [
      "svc webhooks add https://example.com/hook --account acme --agent guide --json | jq -r .secret",
      "one agent's sessions, the secret handed to a program",
    ],
  ],
  output: AddedEndpoint,
  run: (operator, input) => {
    const agents = repeated(input, "agent");
    const order: EndpointOrder = {
      account: given(input, "account"),
      url: given(input, "url"),
      ...(agents.length > 0 && { agents }),
      replay_exhausted: input.options["replayExhausted"] === true,
    };
    return ask(operator, addReceiver, { body: order });
  },
  render: ({ id, url, account_name: account, agents, secret }, terminal) =>
    [
      wrap(
        `Added ${id}. Each evaluated session of ${oneLine(account)}${agents === undefined ? "" : `, agent ${agents.map(({ slug }) => slug).join(" and ")},`} is sent to ${url}.`,
        terminal.width,
        0,
      ),
      "",
      secretWords(secret, terminal),
      "",
      facts(terminal, [["next", `svc webhooks test ${id}`]]),
    ].join("\n"),
});

export function secretShown(secret: string, terminal: Terminal): string {
  return [
    wrap("Keep the secret: it is shown this once, and stored sealed.", terminal.width, 0),
    "",
    `  SVC_WEBHOOK_SECRET=${secret}`,
  ].join("\n");
}

/** A secret that is shown once and in use, and what its holder does with it. */
export function secretWords(secret: string, terminal: Terminal): string {
  const line = (text: string): string => wrap(text, terminal.width, 0);
  return [
    secretShown(secret, terminal),
    "",
    line(
      "Each request carries X-Webhook-Signature: the HMAC-SHA256 of its raw body, in hex, keyed with the whole secret. For a body in a file:",
    ),
    "",
    `  openssl dgst -sha256 -hmac "$SVC_WEBHOOK_SECRET" body.json`,
    "",
    line("The guide to webhooks has receivers in Node, Python, Go and PHP."),
  ].join("\n");
}

export const ENDPOINT: Argument = {
  name: "id",
  summary: "the endpoint's id, as `svc webhooks list` shows it",
};
