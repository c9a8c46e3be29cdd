import { DELIVERY_STATES } from "#webhooks";
import type { DeliveryState, DeliveryStory, ListedDelivery } from "#webhooks";
import * as z from "zod";

/** One delivery, as `deliveries list --json` prints it. */
export interface DeliveryRow {
  id: number;
  state: DeliveryState;
  session_id: string;
  endpoint_id: string;
  url: string;
  client_id: string;
  account_name: string;
  attempts: number;
  crashes: number;
  held_because?: string;
  last_outcome?: string;
  last_status?: number;
  followed: boolean;
  replay_of?: number;
  created_at: string;
  due_at?: string;
  finished_at?: string;
}

const at = z.iso.datetime();
const ROW = {
  id: z.int(),
  state: z.enum(DELIVERY_STATES),
  session_id: z.uuid(),
  endpoint_id: z.string(),
  url: z.string(),
  client_id: z.string(),
  account_name: z.string(),
  attempts: z.int().describe("Recorded outcomes, three at most"),
  crashes: z.int().describe("Tries that a crash of ours cut short; they are no outcomes"),
  held_because: z
    .string()
    .exactOptional()
    .describe(
      "While it waits: why nothing could be sent when it was last due; no attempt was counted",
    ),
  last_outcome: z.string().exactOptional().describe("`answered`, or the class of the failure"),
  last_status: z.int().exactOptional(),
  followed: z.boolean().describe("A later delivery of its session went to the same endpoint"),
  replay_of: z.int().exactOptional(),
  created_at: at,
  due_at: at.exactOptional().describe("When it is tried next, while it waits"),
  finished_at: at.exactOptional(),
};
export const DeliveryRow: z.ZodType<DeliveryRow> = z.strictObject(ROW);

export function toDeliveryRow(delivery: ListedDelivery): DeliveryRow {
  const { heldBecause, lastOutcome, lastStatus, replayOf, finishedAt } = delivery;
  return {
    id: Number(delivery.id),
    state: delivery.state,
    session_id: delivery.sessionId,
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    client_id: delivery.clientId,
    account_name: delivery.accountName,
    attempts: delivery.attempts,
    crashes: delivery.orphans,
    ...(heldBecause !== null && { held_because: heldBecause }),
    ...(lastOutcome !== null && { last_outcome: lastOutcome }),
    ...(lastStatus !== null && { last_status: lastStatus }),
    followed: delivery.followed,
    ...(replayOf !== null && { replay_of: Number(replayOf) }),
    created_at: delivery.createdAt.toISOString(),
    ...(delivery.state === "waiting" && { due_at: delivery.dueAt.toISOString() }),
    ...(finishedAt !== null && { finished_at: finishedAt.toISOString() }),
  };
}

/** Everything about one delivery, as `deliveries show --json` prints it. */
export interface DeliveryDetail extends DeliveryRow {
  endpoint_state: "live" | "paused" | "removed";
  behind?: number;
  event: {
    id: string;
    event_type: "session.evaluated";
    evaluation: number;
    at: string;
    bytes: number;
    body?: string;
  };
  log: {
    attempt: number;
    started_at: string;
    took_ms: number;
    outcome: string;
    status?: number;
    detail?: string;
    answer?: string;
  }[];
  replays: number[];
}

export const DeliveryDetail: z.ZodType<DeliveryDetail> = z.strictObject({
  ...ROW,
  endpoint_state: z.enum(["live", "paused", "removed"]),
  behind: z.int().exactOptional().describe("The older delivery of its session that it waits for"),
  event: z.strictObject({
    id: z.string().describe("The header `webhook-id` of every attempt"),
    event_type: z.literal("session.evaluated"),
    evaluation: z.int().describe("The version of the session's evaluation"),
    at,
    bytes: z.int(),
    body: z.string().exactOptional().describe("With --body: what is sent, byte for byte"),
  }),
  log: z.array(
    z.strictObject({
      attempt: z.int(),
      started_at: at,
      took_ms: z.int(),
      outcome: z.string(),
      status: z.int().exactOptional(),
      detail: z.string().exactOptional(),
      answer: z.string().exactOptional().describe("The beginning of the receiver's answer"),
    }),
  ),
  replays: z.array(z.int()).describe("Deliveries that send the same again"),
});

export function toDeliveryDetail(story: DeliveryStory, withBody: boolean): DeliveryDetail {
  const { event, behind } = story;
  return {
    ...toDeliveryRow(story),
    endpoint_state: story.endpointState,
    ...(behind !== null && { behind: Number(behind) }),
    event: {
      id: event.webhookId,
      event_type: "session.evaluated",
      evaluation: event.version,
      at: event.at.toISOString(),
      bytes: event.body.length,
      ...(withBody && { body: event.body.toString("utf8") }),
    },
    log: story.log.map(({ startedAt, tookMs, status, detail, answer, attempt, outcome }) => ({
      attempt,
      started_at: startedAt.toISOString(),
      took_ms: tookMs,
      outcome,
      ...(status !== null && { status }),
      ...(detail !== null && { detail }),
      ...(answer !== null && { answer: printable(answer) }),
    })),
    replays: story.replays.map(Number),
  };
}

const ANSWER_CHARACTERS = 500;

/** Bytes of a receiver may be anything: a compressed page, a picture, commands to a terminal. */
function printable(bytes: Buffer): string {
  try {
    // A character may have been cut in two where the first bytes end.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
    const clean = text.replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
    return clean.length > ANSWER_CHARACTERS ? `${clean.slice(0, ANSWER_CHARACTERS)}…` : clean;
  } catch {
    return `(${bytes.length.toLocaleString("en")} bytes that are no text)`;
  }
}
