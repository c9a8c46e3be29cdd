import { audit } from "#accounts";
import { AppError, transact } from "#platform";
import type { Db, Trx } from "#platform";
import { unknownDelivery } from "./delivery-list.ts";
import {
  insertReplays,
  lockForReplay,
  selectChosen,
  selectLastId,
  selectToReplay,
} from "./replay-store.ts";
import type { ChosenDelivery, ReplayChoice } from "./replay-store.ts";

export type { ReplayChoice } from "./replay-store.ts";

/** The result of a replay: new deliveries with the same bytes, and the number of those left out. */
export interface Replay {
  /** `id` is absent in a dry run. */
  deliveries: { id?: string; replayOf: string }[];
  /** For the choice of a session. */
  leftOut: { underWay: number; endpointRemoved: number };
}

type Obstacle = "underWay" | "followed" | "endpointRemoved";

export interface ReplayOptions {
  dryRun?: boolean;
  /** Receives the number of deliveries sent again so far. */
  onProgress?: (count: number) => void;
}

/** The size of a transaction, during which evaluations of these accounts wait: a few tenths of a second. */
const BATCH = 1_000;

/**
 * Sends the chosen deliveries again, in batches: an interrupted replay continues when it is called
 * again. Deliveries that are named one by one are all sent, or none.
 */
export async function replayDeliveries(
  db: Db,
  actor: string,
  choice: ReplayChoice,
  { dryRun = false, onProgress = () => {} }: ReplayOptions = {},
): Promise<Replay> {
  // Deliveries that fail again meanwhile are not sent a second time.
  const upTo = await selectLastId(db);
  const limit = "ids" in choice ? choice.ids.length : BATCH;
  const replay: Replay = { deliveries: [], leftOut: { underWay: 0, endpointRemoved: 0 } };
  let after = "0";
  let isDone = false;
  while (!isDone) {
    // Selected before anything is locked, because the search may take long.
    const chosen = await selectChosen(db, choice, { after, upTo, limit });
    if ("ids" in choice) refuseUnless(choice.ids, chosen);
    const part = dryRun ? planned(chosen) : await replayBatch(db, actor, choice, chosen);
    replay.deliveries.push(...part.deliveries);
    replay.leftOut.underWay += part.leftOut.underWay;
    replay.leftOut.endpointRemoved += part.leftOut.endpointRemoved;
    onProgress(replay.deliveries.length);
    after = chosen.at(-1)?.id ?? upTo;
    isDone = "ids" in choice || chosen.length < limit;
  }
  return replay;
}

async function replayBatch(
  db: Db,
  actor: string,
  choice: ReplayChoice,
  chosen: ChosenDelivery[],
): Promise<Replay> {
  const ids = chosen.map(({ id }) => id);
  return transact(db, async (trx) => {
    await lockForReplay(trx, [...new Set(chosen.map(({ endpointId }) => endpointId))]);
    const all = { after: "0", upTo: ids.at(-1) ?? "0", limit: ids.length };
    const current = await selectChosen(trx, { ids }, all);
    if ("ids" in choice) refuseUnless(choice.ids, current);
    const replayable = current.filter(isReplayable);
    const deliveries = await insertReplays(
      trx,
      replayable.map(({ id }) => id),
    );
    await auditReplay(trx, actor, replayable);
    return { ...planned(current), deliveries };
  });
}

/** The maximum number of replays per successful delivery to an endpoint that has recovered. */
const MAX_PER_SUCCESS = 100;
/** After this many deliveries of one event, including the first, only an operator sends it again. */
const MAX_DELIVERIES_PER_EVENT = 5;

/**
 * Joins the transaction of a successful delivery, and sends again what had failed for an endpoint
 * that asked for it.
 */
export async function replayAfterSuccess(trx: Trx, endpointId: string): Promise<number> {
  const limits = { limit: MAX_PER_SUCCESS, times: MAX_DELIVERIES_PER_EVENT };
  if ((await selectToReplay(trx, endpointId, limits)).length === 0) return 0;
  await lockForReplay(trx, [endpointId]);
  const ids = await selectToReplay(trx, endpointId, limits);
  return (await insertReplays(trx, ids)).length;
}

function planned(chosen: ChosenDelivery[]): Replay {
  const count = (obstacle: Obstacle): number =>
    chosen.filter((delivery) => obstacleTo(delivery) === obstacle).length;
  return {
    deliveries: chosen.filter(isReplayable).map(({ id }) => ({ replayOf: id })),
    leftOut: { underWay: count("underWay"), endpointRemoved: count("endpointRemoved") },
  };
}

function obstacleTo({ state, followed, endpointRemoved }: ChosenDelivery): Obstacle | undefined {
  if (endpointRemoved) return "endpointRemoved";
  if (followed) return "followed";
  return state === "waiting" || state === "running" ? "underWay" : undefined;
}

function isReplayable(delivery: ChosenDelivery): boolean {
  return obstacleTo(delivery) === undefined;
}

async function auditReplay(trx: Trx, actor: string, replayed: ChosenDelivery[]): Promise<void> {
  for (const [subject, some] of Map.groupBy(replayed, ({ endpointId }) => endpointId)) {
    const { accountId } = some[0]!;
    const detail = { deliveries: some.length };
    await audit(trx, { actor, action: "webhook.replay", accountId, subject, detail });
  }
}

function refuseUnless(ids: string[], found: ChosenDelivery[]): void {
  const unknown = ids.find((id) => !found.some((delivery) => delivery.id === id));
  if (unknown !== undefined) throw unknownDelivery(unknown);
  for (const delivery of found) {
    const obstacle = obstacleTo(delivery);
    if (obstacle === undefined) continue;
    const what = `Delivery ${delivery.id} cannot be sent again.`;
    throw new AppError("conflict", { what, ...OBSTACLE_WORDS[obstacle](delivery) });
  }
}

const OBSTACLE_WORDS: Record<Obstacle, (of: ChosenDelivery) => { why: string; fix: string }> = {
  underWay: ({ id }) => ({
    why: "It is not finished: it waits for its turn, its next try or its answer.",
    fix: `Run \`svc deliveries show ${id}\` for when it is tried next.`,
  }),
  followed: ({ sessionId }) => ({
    why: "A later delivery of its session went to the same endpoint, and older data must not arrive over newer.",
    fix: `Run \`svc deliveries replay --session ${sessionId}\`, which sends the newest.`,
  }),
  endpointRemoved: ({ endpointId, sessionId }) => ({
    why: `Its endpoint, ${endpointId}, has been removed.`,
    fix: `Add the receiver again with \`svc webhooks add\`, then run \`svc evaluate ${sessionId}\`.`,
  }),
};
