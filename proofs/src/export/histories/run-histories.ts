import { ConcurrencyLimit } from "../../stage/concurrency-limit.ts";
import { setTimeout as delay } from "node:timers/promises";
import { addCustomer } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import type { Tools } from "../../runner/proof.ts";
import type { ExportClients, WalkReport } from "./export-clients.ts";
import { planHistory } from "./history.ts";
import { playHistory } from "./play-history.ts";
import type { Played } from "./play-history.ts";

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
  const limit = new ConcurrencyLimit(CONNECTIONS.all);
  const outcome: Outcome = { kept: new Tally(), control: new Tally() };

  async function run(number: number, kind: keyof Outcome): Promise<void> {
    const history = planHistory(options.seed, number);
    const exportMode = kind === "kept" ? "settled_prefix" : "as_available";
    const customer = await limit.run(() => addCustomer(db, { exportMode }));
    const walks = history.walks
      .filter(({ by, joinMs }) => kind === "kept" || (by === "since" && joinMs === 0))
      .map(async (planned) => {
        await delay(planned.joinMs);
        const walk = clients.walk(planned, customer.token);
        return { walk, name: `${planned.format} by ${planned.by} at limit ${planned.limit}` };
      });
    const played = await playHistory(
      db,
      new ConcurrencyLimit(CONNECTIONS.perAccount, limit),
      customer,
      history,
    );
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

/** What came of some histories. */
export class Tally {
  histories = 0;
  sessions = 0;
  walks = 0;
  requests = 0;
  /** Sessions that at least one walk never met. */
  lost = 0;
  /** The most starts that one account saw within a second of real time. */
  fastestSecond = 0;
  /** Everything that went wrong, in words. */
  readonly faults: string[] = [];

  add(name: string, played: Played[], walks: FinishedWalk[]): void {
    this.histories++;
    this.sessions += played.filter(({ test }) => !test).length;
    this.fastestSecond = Math.max(this.fastestSecond, mostWithinASecond(played));
    this.faults.push(...stampFaults(played).map((fault) => `${name}: ${fault}`));
    const lost = walks.flatMap((walk) => this.#judge(`${name}, ${walk.name}`, played, walk));
    this.lost += new Set(lost).size;
  }

  /** Once all is settled, a walk has met every session that is no test and started since it asked, and no other. */
  #judge(name: string, played: Played[], { since, report }: FinishedWalk): string[] {
    const expected = played
      .filter(({ test, createdAt }) => !test && createdAt.getTime() >= since * 1_000)
      .map(({ id }) => id);
    const shown = new Set(report.ids);
    const lost = expected.filter((id) => !shown.has(id));
    const wronglyShown = shown.size - (expected.length - lost.length);
    this.walks++;
    this.requests += report.requests;
    if (report.fault !== null) this.faults.push(`${name}: ${report.fault}`);
    if (lost.length > 0) this.faults.push(`${name}: lost ${lost.length} of ${expected.length}`);
    if (wronglyShown > 0) this.faults.push(`${name}: wrongly shown: ${wronglyShown}`);
    return lost;
  }
}

export interface FinishedWalk {
  name: string;
  /** What it asked for first, in unix seconds. */
  since: number;
  report: WalkReport;
}

/** What the walks lean on, looked at directly: by chance a walk seldom meets a breach. */
function stampFaults(played: Played[]): string[] {
  const stamps = played.map(({ createdAt }) => createdAt.getTime());
  const seconds = Map.groupBy(stamps, (ms) => Math.floor(ms / 1_000));
  const crowded = [...seconds.values()].filter((starts) => starts.length > 99).length;
  const onWholeSecond = stamps.filter((ms) => ms % 1_000 === 0).length;
  const shared = stamps.length - new Set(stamps).size;
  return [
    ...(crowded > 0 ? [`${crowded} seconds hold more than 99 starts`] : []),
    ...(onWholeSecond > 0 ? [`${onWholeSecond} starts are stamped on a whole second`] : []),
    ...(shared > 0 ? [`${shared} starts share the stamp of another`] : []),
  ];
}

function mostWithinASecond(played: Played[]): number {
  const times = played.map(({ committedMs }) => committedMs).toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, time] of times.entries()) {
    while (time - times[first]! > 1_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
