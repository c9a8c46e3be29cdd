import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, announceLive, seedBulk, START_LIMITS } from "@svc/server/testing";
import type { Claim } from "../runner/proof.ts";
import { moveToSmallDisk } from "./small-disk.ts";
import { openStage } from "../stage/stage.ts";
import { tryStart } from "./starts-cost-something.ts";

/** Of each kind: while there is room, while there is none, and again while there is. */
const STARTS = 120;
/** To be read all along. */
const KEPT = 500;
const HEALS_WITHIN_MS = 5_000;
const NO_LIMITS = Object.fromEntries(START_LIMITS.map((name) => [name, null]));

// P5
export const fullDiskHeals: Claim<undefined> = {
  promise:
    "When the database's disk is full the export goes on, who wants to start is told to come back, and it heals by itself",
  bound:
    "0 starts lost or half stored, 0 pages not read, refused while it is full, heals within 5 s",
  tier: "nightly",
  prove: async ({ say, onEnd }) => {
    const stage = await openStage();
    onEnd(() => stage.close());
    const { cluster, database } = stage;
    const disk = await moveToSmallDisk({ cluster, pool: database.pool }, onEnd);
    const customer = await addCustomer(database.db);
    const { account, agent, token } = customer;
    await seedBulk(database.pool, customer, KEPT, new Date(Date.now() - 3_600_000));
    await database.pool.query("UPDATE accounts SET limits = $2 WHERE id = $1", [
      account.id,
      JSON.stringify(NO_LIMITS),
    ]);
    const live = await announceLive(database.db);
    const renewing = setInterval(() => void announceLive(database.db, live).catch(() => {}), 2_000);
    onEnd(() => clearInterval(renewing));
    const server = await stage.startServer();

    const started: string[] = [];
    const startMany = async (): Promise<Map<string, number>> => {
      const outcomes = new Map<string, number>();
      for (let n = 0; n < STARTS; n++) {
        const { outcome, session } = await tryStart(server.url, agent.agentId);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (session !== undefined) started.push(session.session_id);
      }
      return outcomes;
    };
    const pages: number[] = [];
    const reading = readPages(`${server.url}/v1/sessions.json`, token, pages);
    onEnd(() => reading.stop());

    const before = await startMany();
    await disk.fill();
    const meanwhile = await startMany();
    await disk.free();
    const freedAt = performance.now();
    while ((await tryStart(server.url, agent.agentId)).outcome !== "started") {
      if (performance.now() - freedAt > 2 * HEALS_WITHIN_MS) break;
      await delay(50);
    }
    const healedMs = performance.now() - freedAt;
    const after = await startMany();
    reading.stop();

    const { rows } = await database.pool.query<{ id: string }>(
      "SELECT id FROM sessions JOIN visits ON visits.session_id = sessions.id",
    );
    const stored = new Set(rows.map(({ id }) => id));
    // One more than we count here, which told that it has healed.
    const lost = started.filter((id) => !stored.has(id)).length;
    const halfStored = stored.size - started.length - 1;
    const refused = meanwhile.get("service_unavailable") ?? 0;
    const unread = pages.filter((status) => status !== 200).length;
    const table = { before, "while full": meanwhile, after };
    for (const [when, outcomes] of Object.entries(table)) {
      say(`${when}: ${[...outcomes].map(([what, count]) => `${count} ${what}`).join(", ")}`);
    }
    say(`${pages.length} pages read, ${unread} refused; healed after ${Math.round(healedMs)} ms`);
    const isSimple = [before, after].every((outcomes) => outcomes.get("started") === STARTS);
    const isKnown = [...meanwhile.keys()].every((one) =>
      ["started", "service_unavailable"].includes(one),
    );
    return {
      figure: `${lost} lost, ${halfStored} half stored of ${started.length}, ${refused} of ${STARTS} refused while full, ${unread} of ${pages.length} pages not read, healed after ${Math.round(healedMs)} ms`,
      ok:
        lost === 0 &&
        halfStored === 0 &&
        unread === 0 &&
        pages.length > 0 &&
        refused >= STARTS / 2 &&
        isSimple &&
        isKnown &&
        healedMs <= HEALS_WITHIN_MS,
      size: `${3 * STARTS} starts`,
    };
  },
};

/** Somebody who reads the export all along. */
function readPages(url: string, token: string, statuses: number[]): { stop(): void } {
  const stopping = new AbortController();
  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      statuses.push(response.status);
      await delay(50);
    }
  };
  read().catch(() => statuses.push(0));
  return { stop: () => stopping.abort() };
}
