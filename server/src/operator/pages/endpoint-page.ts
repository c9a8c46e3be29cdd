import type { EndpointDetail, EndpointHealth } from "@svc/contract/types";
import { deliveryTable } from "./delivery-page.ts";
import { facts, heading, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago, moment } from "../terminal/times.ts";

const STATE_TONE = { live: "good", paused: "warn", removed: "quiet" } as const;

/** One receiver to read from top to bottom. */
export function renderEndpoint(endpoint: EndpointDetail, terminal: Terminal): string {
  const { health, agents, deliveries } = endpoint;
  const count = (number: number): string => number.toLocaleString("en");
  const advice = whatToDo(endpoint, terminal).map((one) => `- ${wrap(one, terminal.width, 2)}`);
  return [
    heading(terminal, endpoint.url),
    facts(terminal, [
      ["endpoint id", endpoint.id],
      ["account", `${endpoint.account_name} (${endpoint.client_id})`],
      ["state", endpoint.state, STATE_TONE[endpoint.state]],
      ["agents", agents?.map(({ id, slug }) => `${slug} (${id})`).join(", ") ?? "all"],
      ["secret", secretWords(endpoint, terminal)],
      [
        "after an outage",
        endpoint.replay_exhausted ? "replays by itself" : "waits for you to replay",
      ],
      ["added", moment(terminal, endpoint.added_at)],
    ]),
    "",
    heading(terminal, "How it does"),
    facts(terminal, [
      [
        "taken",
        takenWords(health),
        health.last_delivered < health.last_finished ? "warn" : undefined,
      ],
      ["under way", `${count(health.waiting)} waiting, ${count(health.running)} running`],
      ["oldest waiting", dueWords(health, terminal)],
      ["failed", count(health.failed), health.failed === 0 ? undefined : "bad"],
    ]),
    ...(deliveries.length === 0
      ? []
      : ["", heading(terminal, "Last deliveries"), deliveryTable(terminal, deliveries)]),
    "",
    heading(terminal, "What to do"),
    ...(advice.length === 0 ? ["Nothing."] : advice),
  ].join("\n");
}

function secretWords(
  { secret_staged_at: stagedAt, previous_secret_until: until }: EndpointDetail,
  terminal: Terminal,
): string {
  if (stagedAt !== undefined) {
    return `a new one was staged ${moment(terminal, stagedAt)} and is not activated yet`;
  }
  if (!isAhead(until, terminal)) return "one, shown when it was issued";
  return `new; the old one signs beside it and ends ${moment(terminal, until)}`;
}

function takenWords({
  last_finished: finished,
  last_delivered: delivered,
}: EndpointHealth): string {
  if (finished === 0) return "nothing has been sent yet";
  const percent = Math.floor((1_000 * delivered) / finished) / 10;
  return `${percent} %: ${delivered} of the last ${finished}`;
}

function dueWords({ oldest_due_at: at }: EndpointHealth, terminal: Terminal): string | undefined {
  return at === undefined ? undefined : `due ${ago(terminal, at)}`;
}

/** Longer than a full queue of a healthy receiver takes to move. */
const LATE_MS = 60_000;

function whatToDo(endpoint: EndpointDetail, terminal: Terminal): string[] {
  const { id, state, url, health, deliveries } = endpoint;
  const { secret_staged_at: stagedAt, previous_secret_until: until } = endpoint;
  if (state === "removed") return ["Nothing is sent to it any more. Add it again to start anew."];
  const held = deliveries.find(({ held_because: because }) => because !== undefined);
  const due = health.oldest_due_at;
  const isLate = due !== undefined && terminal.nowMs - Date.parse(due) > LATE_MS;
  return [
    ...(state === "paused"
      ? [`It is paused. \`svc webhooks resume ${id}\` sends what waits.`]
      : []),
    ...(held === undefined
      ? []
      : [`Deliveries are held back, and go out once this is fixed: ${held.held_because}`]),
    ...(state === "live" && isLate
      ? [
          "What waits should have gone by now. Check that a pipeline runs, and how slowly the receiver answers: it gets 8 requests at a time.",
        ]
      : []),
    ...(health.failed > 0
      ? [
          `Find out what is wrong with \`svc webhooks test ${id}\`. Once it answers, send again what failed: \`svc deliveries replay --endpoint ${id} --failed-since 7d\`.`,
        ]
      : []),
    ...(stagedAt === undefined
      ? []
      : [
          `A new secret is staged. Once the receiver takes both, which \`svc webhooks test ${id} --staged\` tells, run \`svc webhooks rotate ${id} --activate\`; \`--cancel\` takes it back.`,
        ]),
    ...(isAhead(until, terminal)
      ? ["Make sure that the receiver knows its new secret before the old one ends."]
      : []),
    ...(url.startsWith("http:") ? ["It is plain HTTP. Register an https address."] : []),
  ];
}

function isAhead(at: string | undefined, { nowMs }: Terminal): boolean {
  return at !== undefined && Date.parse(at) > nowMs;
}
