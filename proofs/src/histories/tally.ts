import type { WalkReport } from "./export-clients.ts";
import type { Played } from "./play-history.ts";

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
