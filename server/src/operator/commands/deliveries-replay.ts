import { AppError } from "#platform";
import { ReplayReceipt } from "@svc/contract/schemas";
import type { ReplayOrder } from "@svc/contract/types";
import { parseDeliveryId, parseSessionId } from "../arguments/parse-arguments.ts";
import { parseTime } from "../arguments/parse-time.ts";
import { ask } from "../ask.ts";
import { defineCommand, optional, repeated } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { replay } from "../console/delivery-routes.ts";
import type { Operator } from "../operator.ts";
import { wrap } from "../terminal/terminal.ts";

export const deliveriesReplay: Command = defineCommand({
  name: "deliveries replay",
  summary: "Send again: new deliveries with the same bytes, tried three times like any other",
  arguments: [{ name: "[id...]", summary: "deliveries by their numbers" }],
  options: [
    { flags: "--session <id>", summary: "the newest of this session, to each of its receivers" },
    { flags: "--endpoint <id>", summary: "to this endpoint, with --failed-since or --from" },
    { flags: "--account <account>", summary: "of this account, with --failed-since or --from" },
    { flags: "--failed-since <time>", summary: "what failed for good since then: 24h, 7d" },
    { flags: "--from <time>", summary: "all that was written from then on, delivered or not" },
    { flags: "--to <time>", summary: "and before then; now when left out" },
    { flags: "--dry-run", summary: "only count them" },
  ],
  examples: [
    ["svc deliveries replay 1024 1025", "these two"],
    [
      "svc deliveries replay --account acme --failed-since 24h",
      "what a customer missed in an outage, once their receiver is back",
    ],
    [
      "svc deliveries replay --endpoint hook_aaabcdefghij2345klmnop --from 2026-11-01 --to 2026-11-02",
      "everything of a day that they lost themselves",
    ],
  ],
  output: ReplayReceipt,
  run: async (operator, input) => ask(operator, replay, { body: orderOf(operator, input) }),
  render: ({ dry_run: dryRun, replayed, deliveries, left_out: leftOut }, terminal) => {
    const count = replayed.toLocaleString("en");
    const ids = deliveries.flatMap(({ id }) => (id === undefined ? [] : [String(id)]));
    return [
      ...(replayed === 0 ? ["Nothing is to be sent again."] : []),
      ...(replayed > 0 && dryRun ? [`${count} would be sent again. Nothing was written.`] : []),
      ...(replayed > 0 && !dryRun
        ? [`${count} ${replayed === 1 ? "is" : "are"} sent again, as ${someOf(ids)}.`]
        : []),
      ...(leftOut.under_way > 0 ? [`${leftOut.under_way} still under way and left alone.`] : []),
      ...(leftOut.endpoint_removed > 0
        ? [`${leftOut.endpoint_removed} left out: the receiver has been removed.`]
        : []),
    ]
      .map((line) => wrap(line, terminal.width, 0))
      .join("\n");
  },
});

const SHOWN = 5;

function someOf(ids: string[]): string {
  const shown = ids.slice(0, SHOWN).join(", ");
  return ids.length > SHOWN ? `deliveries ${shown} and so on` : `delivery ${shown}`;
}

function orderOf(operator: Operator, input: Input): ReplayOrder {
  const ids = repeated(input, "id").map((id) => Number(parseDeliveryId(id)));
  const sessionId = parseSessionId(optional(input, "session"));
  const endpoint = optional(input, "endpoint");
  const account = optional(input, "account");
  const when = whenOf(operator, input);
  const named = [ids.length > 0, sessionId, endpoint, account].filter(Boolean);
  const isTimed = endpoint !== undefined || account !== undefined;
  if (named.length !== 1 || isTimed !== (when !== undefined)) throw notSaid();
  const dryRun = { dry_run: input.options["dryRun"] === true };
  if (sessionId !== undefined) return { session_id: sessionId, ...dryRun };
  if (when === undefined) return { ids, ...dryRun };
  return account === undefined
    ? { endpoint_id: endpoint!, ...when, ...dryRun }
    : { account, ...when, ...dryRun };
}

function whenOf(
  operator: Operator,
  input: Input,
): { failed_since: string } | { from: string; to?: string } | undefined {
  const time = (name: string, flag: string): string | undefined =>
    parseTime(optional(input, name), operator.clock.nowMs(), flag)?.toISOString();
  const failedSince = time("failedSince", "--failed-since");
  const from = time("from", "--from");
  const to = time("to", "--to");
  if (failedSince !== undefined && from === undefined && to === undefined) {
    return { failed_since: failedSince };
  }
  if (failedSince === undefined && from !== undefined) return { from, ...(to && { to }) };
  if (failedSince === undefined && to === undefined) return undefined;
  throw notSaid();
}

function notSaid(): AppError {
  return new AppError("invalid_input", {
    what: "It is not said what to send again.",
    why: "The command takes delivery numbers, or --session, or --endpoint or --account with --failed-since or --from.",
    fix: "Write for example `svc deliveries replay --account acme --failed-since 24h --dry-run`.",
  });
}
