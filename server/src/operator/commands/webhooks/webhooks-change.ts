import { transact } from "#platform";
import { resealSecrets } from "#webhooks";
import { EndpointChange, EndpointRemoval } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { ask } from "../../ask.ts";
import { defineCommand, given } from "../../command.ts";
import type { Command } from "../../command.ts";
import type { AdminRoute } from "../../console/admin-request.ts";
import { pauseReceiver, removeReceiver, resumeReceiver } from "../../console/endpoint-routes.ts";
import { wrap } from "../../terminal/terminal.ts";
import { ENDPOINT } from "./webhooks-add.ts";

const webhooksPause = stateCommand("pause", pauseReceiver, {
  summary: "Hold what is to be sent to a receiver; nothing is lost",
  done: "is paused: what is to be sent waits",
});

const webhooksResume = stateCommand("resume", resumeReceiver, {
  summary: "Send to a paused receiver again, what waited first",
  done: "is live: what is to be sent goes out",
});

function stateCommand(
  verb: string,
  route: AdminRoute<types.EndpointChange>,
  words: { summary: string; done: string },
): Command {
  return defineCommand({
    name: `webhooks ${verb}`,
    summary: words.summary,
    arguments: [ENDPOINT],
    examples: [
      [`svc webhooks ${verb} hook_aaabcdefghij2345klmnop`, "takes effect within a second"],
    ],
    output: EndpointChange,
    run: (operator, input) => ask(operator, route, { params: { id: given(input, "id") } }),
    render: ({ url, changed, waiting }, terminal) =>
      wrap(
        `${url} ${words.done}.${changed ? "" : " It was before."} ${waiting.toLocaleString("en")} waiting.`,
        terminal.width,
        0,
      ),
  });
}

const webhooksRemove = defineCommand({
  name: "webhooks remove",
  summary: "Send nothing more to a receiver, and cancel what waits",
  arguments: [ENDPOINT],
  options: [{ flags: "--yes", summary: "also when that cancels deliveries" }],
  examples: [["svc webhooks remove hook_aaabcdefghij2345klmnop", "asks for --yes if some wait"]],
  output: EndpointRemoval,
  run: (operator, input) => {
    const order: types.RemovalOrder = { cancel_waiting: input.options["yes"] === true };
    return ask(operator, removeReceiver, { params: { id: given(input, "id") }, body: order });
  },
  render: ({ id, cancelled }) =>
    `Removed ${id}. Cancelled deliveries: ${cancelled.toLocaleString("en")}. What was sent before stays in the list.`,
});

const webhooksReseal = defineCommand({
  name: "webhooks reseal",
  summary: "Seal all secrets under the first key of SVC_SECRET_KEYS",
  examples: [
    ["svc webhooks reseal", "after a new key was put first everywhere; leave the old one in"],
  ],
  output: z.strictObject({ resealed: z.int(), total: z.int() }),
  run: (operator) =>
    transact(operator.db(), (trx) => resealSecrets(trx, operator.actor, operator.secrets())),
  render: ({ resealed, total }, terminal) =>
    wrap(
      `Sealed the secrets of ${resealed.toLocaleString("en")} of ${total.toLocaleString("en")} endpoints again; all are under the first key. Webhook secrets no longer need the others. Links in mails and the memory of who unsubscribed do: leave them in SVC_SECRET_KEYS, unless one has leaked.`,
      terminal.width,
      0,
    ),
});

export const webhooksChangeCommands: Command[] = [
  webhooksPause,
  webhooksResume,
  webhooksRemove,
  webhooksReseal,
];
