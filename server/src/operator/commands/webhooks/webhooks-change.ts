import { AppError, transact } from "#platform";
import {
  endpointHealth,
  findEndpoint,
  removeEndpoint,
  resealSecrets,
  setEndpointState,
} from "#webhooks";
import * as z from "zod";
import { defineCommand, given } from "../../command.ts";
import type { Command } from "../../command.ts";
import { wrap } from "../../terminal/terminal.ts";
import { ENDPOINT } from "./webhooks-add.ts";

const webhooksPause = stateCommand("pause", "paused", {
  summary: "Hold what is to be sent to a receiver; nothing is lost",
  done: "is paused: what is to be sent waits",
});

const webhooksResume = stateCommand("resume", "live", {
  summary: "Send to a paused receiver again, what waited first",
  done: "is live: what is to be sent goes out",
});

function stateCommand(
  verb: string,
  state: "live" | "paused",
  words: { summary: string; done: string },
): Command {
  return defineCommand({
    name: `webhooks ${verb}`,
    summary: words.summary,
    arguments: [ENDPOINT],
    examples: [
      [`svc webhooks ${verb} hook_aaabcdefghij2345klmnop`, "takes effect within a second"],
    ],
    output: z.strictObject({
      id: z.string(),
      url: z.string(),
      state: z.enum(["live", "paused"]),
      changed: z.boolean(),
      waiting: z.int(),
    }),
    run: async (operator, input) => {
      const db = operator.db();
      const id = given(input, "id");
      const { changed } = await transact(db, (trx) =>
        setEndpointState(trx, operator.actor, id, state),
      );
      const [{ url }, [health]] = await Promise.all([
        findEndpoint(db, id),
        endpointHealth(db, [id]),
      ]);
      return { id, url, state, changed, waiting: health!.waiting };
    },
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
  output: z.strictObject({ id: z.string(), cancelled: z.int() }),
  run: async (operator, input) => {
    const id = given(input, "id");
    const cancelled = await transact(operator.db(), async (trx) => {
      const removed = await removeEndpoint(trx, operator.actor, id);
      // Thrown inside the transaction: it takes the removal back.
      if (removed.cancelled > 0 && input.options["yes"] !== true) {
        throw deliveriesWait(id, removed.cancelled);
      }
      return removed.cancelled;
    });
    return { id, cancelled };
  },
  render: ({ id, cancelled }) =>
    `Removed ${id}. Cancelled deliveries: ${cancelled.toLocaleString("en")}. What was sent before stays in the list.`,
});

function deliveriesWait(id: string, count: number): AppError {
  return new AppError("conflict", {
    what:
      count === 1
        ? `1 delivery to ${id} is not finished.`
        : `${count.toLocaleString("en")} deliveries to ${id} are not finished.`,
    why: "What is removed is sent nothing more, and what was cancelled cannot be sent again.",
    fix: `Run \`svc webhooks remove ${id} --yes\` to cancel, or \`svc webhooks pause ${id}\` to hold back.`,
  });
}

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
