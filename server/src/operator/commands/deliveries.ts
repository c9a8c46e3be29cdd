import { DELIVERY_STATES, tellDelivery } from "#webhooks";
import { DeliveryDetail, DeliveryRows } from "@svc/contract/schemas";
import {
  ROWS,
  parseDeliveryId,
  parseNumber,
  parseSessionId,
} from "../arguments/parse-arguments.ts";
import { ask } from "../ask.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { listSeenDeliveries, readDelivery } from "../console/delivery-routes.ts";
import { toDeliveryDetail } from "../pages/delivery-output.ts";
import { deliveryTable, renderDelivery } from "../pages/delivery-page.ts";
import { tone, wrap } from "../terminal/terminal.ts";
import { deliveriesReplay } from "./deliveries-replay.ts";

const deliveriesList = defineCommand({
  name: "deliveries list",
  summary: "List what was sent to receivers, or waits to be, the newest first",
  options: [
    { flags: "--account <account>", summary: "only of this account" },
    { flags: "--endpoint <id>", summary: "only to this endpoint" },
    { flags: "--session <id>", summary: "only of this session" },
    { flags: "--state <state>", summary: "only in this state", choices: DELIVERY_STATES },
    { flags: "--since <time>", summary: "only written since then: 24h, 7d or 2026-11-01" },
    { flags: "--limit <rows>", summary: "how many at most", default: "20" },
  ],
  examples: [
    ["svc deliveries list --account acme", "the newest 20 of a customer"],
    ["svc deliveries list --state exhausted --since 24h", "what failed for good since yesterday"],
  ],
  output: DeliveryRows,
  run: async (operator, input) => {
    const since = parseSince(input, operator.clock.nowMs());
    return ask(operator, listSeenDeliveries, {
      query: {
        account: optional(input, "account"),
        endpoint: optional(input, "endpoint"),
        session: parseSessionId(optional(input, "session")),
        state: optional(input, "state"),
        since: since?.toISOString(),
        limit: String(parseNumber(given(input, "limit"), "number of rows", ROWS)),
      },
    });
  },
  render: ({ deliveries, more }, terminal) =>
    deliveries.length === 0
      ? wrap(
          "No delivery fits. One is written when a session is evaluated and its account has a receiver: `svc webhooks list` shows them.",
          terminal.width,
          0,
        )
      : [
          deliveryTable(terminal, deliveries),
          ...(more ? [tone(terminal, "quiet", "There are older ones: raise --limit.")] : []),
        ].join("\n"),
});

const deliveriesShow = defineCommand({
  name: "deliveries show",
  summary: "Show one delivery: the event, every try, and when it is tried next",
  arguments: [{ name: "id", summary: "the delivery's number" }],
  options: [{ flags: "--body", summary: "print the body that is sent, and nothing else" }],
  examples: [
    ["svc deliveries show 1024", "what the receiver answered each time"],
    ["svc deliveries show 1024 --body", "what it was sent; this is personal data"],
  ],
  output: DeliveryDetail,
  run: async (operator, input) => {
    const id = parseDeliveryId(given(input, "id"));
    if (input.options["body"] !== true) return ask(operator, readDelivery, { params: { id } });
    return toDeliveryDetail(await tellDelivery(operator.db(), id), true);
  },
  render: (delivery, terminal) => delivery.event.body ?? renderDelivery(delivery, terminal),
});

export const deliveriesCommands: Command[] = [deliveriesList, deliveriesShow, deliveriesReplay];
