import type { DeliveryStory, ListedDelivery, Replay } from "#webhooks";
import type { DeliveryDetail, DeliveryRow, ReplayReceipt } from "@svc/contract/types";

export function toDeliveryRow(delivery: ListedDelivery): DeliveryRow {
  const { email, heldBecause, lastOutcome, lastStatus, replayOf, finishedAt } = delivery;
  return {
    id: Number(delivery.id),
    state: delivery.state,
    session_id: delivery.sessionId,
    ...(email !== null && { email }),
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

export function toReplayReceipt({ deliveries, leftOut }: Replay, dryRun: boolean): ReplayReceipt {
  return {
    dry_run: dryRun,
    replayed: deliveries.length,
    deliveries: deliveries.map(({ id, replayOf }) => ({
      ...(id !== undefined && { id: Number(id) }),
      replay_of: Number(replayOf),
    })),
    left_out: { under_way: leftOut.underWay, endpoint_removed: leftOut.endpointRemoved },
  };
}
