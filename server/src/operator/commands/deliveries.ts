import { findAccount } from "#accounts";
import { DELIVERY_STATES, findEndpoint, listDeliveries, tellDelivery } from "#webhooks";
import type { DeliveryState } from "#webhooks";
import { DeliveryDetail, DeliveryRows } from "@svc/contract/schemas";
import {
  ROWS,
  parseDeliveryId,
  parseNumber,
  parseSessionId,
} from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { toDeliveryDetail, toDeliveryRow } from "../pages/delivery-output.ts";
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
    const db = operator.db();
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = parseSince(input, operator.clock.nowMs());
    const state = optional(input, "state") as DeliveryState | undefined;
    const account = optional(input, "account");
    const endpoint = optional(input, "endpoint");
    const sessionId = parseSessionId(optional(input, "session"));
    const found = await listDeliveries(db, {
      ...(account !== undefined && { accountId: (await findAccount(db, account)).id }),
      ...(endpoint !== undefined && { endpointId: (await findEndpoint(db, endpoint)).id }),
      ...(sessionId !== undefined && { sessionId }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since }),
      limit: limit + 1,
    });
    return {
      deliveries: found.slice(0, limit).map(toDeliveryRow),
      more: found.length > limit,
    };
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
    return toDeliveryDetail(await tellDelivery(operator.db(), id), input.options["body"] === true);
  },
  render: (delivery, terminal) => delivery.event.body ?? renderDelivery(delivery, terminal),
});

export const deliveriesCommands: Command[] = [deliveriesList, deliveriesShow, deliveriesReplay];
