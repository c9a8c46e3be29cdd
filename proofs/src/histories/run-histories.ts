import { setTimeout as delay } from "node:timers/promises";
import { addCustomer } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import type { Tools } from "../runner/proof.ts";
import type { ExportClients } from "./export-clients.ts";
import { Gate } from "./gate.ts";
import { planHistory } from "./history.ts";
import { playHistory } from "./play-history.ts";
import { Tally } from "./tally.ts";

const SIDE_BY_SIDE = 40;
/** One history in five is played once more, for a reader that is shown sessions as they finish. */
const CONTROL_EVERY = 5;
/** The driving pool has 20 connections. One account gets few of them, so that its burst leaves the others some. */
const CONNECTIONS = { all: 18, perAccount: 6 };

export interface Outcome {
  kept: Tally;
  /** The same on accounts with the export mode `as_available`. */
  control: Tally;
}

/** Plays the histories, some side by side, until all are done or the time is up. */
export async function runHistories(
  tools: Tools,
  database: TestDatabase,
  clients: ExportClients,
  options: { seed: number; histories: number },
): Promise<Outcome> {
  const { db } = database;
  const gate = new Gate(CONNECTIONS.all);
  const outcome: Outcome = { kept: new Tally(), control: new Tally() };

  async function run(number: number, kind: keyof Outcome): Promise<void> {
    const history = planHistory(options.seed, number);
    const exportMode = kind === "kept" ? "settled_prefix" : "as_available";
    const customer = await gate.pass(() => addCustomer(db, { exportMode }));
    const walks = history.walks
      .filter(({ by, joinMs }) => kind === "kept" || (by === "since" && joinMs === 0))
      .map(async (planned) => {
        await delay(planned.joinMs);
        const walk = clients.walk(planned, customer.token);
        return { walk, name: `${planned.format} by ${planned.by} at limit ${planned.limit}` };
      });
    const played = await playHistory(db, new Gate(CONNECTIONS.perAccount, gate), customer, history);
    const finished = walks.map(async (begun) => {
      const { walk, name } = await begun;
      return { name, since: walk.since, report: await walk.finish() };
    });
    outcome[kind].add(`history ${number}`, played, await Promise.all(finished));
  }

  let next = 0;
  let longestMs = 4_000;
  async function runSome(): Promise<void> {
    // The last ones to begin must end in time, on a busy machine too.
    while (next < options.histories && tools.timeLeftMs() > longestMs) {
      const number = next++;
      const beganMs = performance.now();
      await Promise.all([
        run(number, "kept"),
        ...(number % CONTROL_EVERY === 1 ? [run(number, "control")] : []),
      ]);
      longestMs = Math.max(longestMs, performance.now() - beganMs);
      tools.progress(outcome.kept.histories, options.histories, "histories");
    }
  }
  // The first one has a burst, and a second to itself.
  const lanes = Array.from({ length: SIDE_BY_SIDE }, async (_, lane) => {
    if (lane > 0) await delay(1_000 + lane * 25);
    await runSome();
  });
  await Promise.all(lanes);
  return outcome;
}
