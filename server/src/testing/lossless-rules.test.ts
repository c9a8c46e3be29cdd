import { allotStamp } from "./platform-doubles.ts";
import type { StampClock } from "./platform-doubles.ts";
import { Random } from "@svc/tools/random";
import { expect, it } from "vitest";

// A model of the export: sessions that start, commit, settle and are read in any order. It shows that
// the rules suffice, and that none of them can be spared.
const HISTORIES = 5_000;
const SEED = 1;

it("with all rules nothing is lost, no loop is endless and nothing is wrongly shown", () => {
  const { expected, ...broken } = sumOf(RULES);
  expect(broken).toEqual({ lost: 0, endlessLoops: 0, wronglyShown: 0 });
  expect(expected).toBeGreaterThan(10_000);
});

it("without the settled prefix, late finishers are lost", () => {
  expect(sumOf({ ...RULES, settledPrefix: false }).lost).toBeGreaterThan(0);
});

it("without the clock's lock, a start that commits late is lost", () => {
  expect(sumOf({ ...RULES, locksClock: false }).lost).toBeGreaterThan(0);
});

it("with as many starts in a second as a page holds, the loop never leaves that second", () => {
  const rules: Rules = {
    ...RULES,
    allot: (clock, nowMs, most) => allotStamp(clock, nowMs, most + 1),
  };
  expect(sumOf(rules).endlessLoops).toBeGreaterThan(0);
});

it("with a stamp on a whole second, who asks since that second misses it", () => {
  const rules: Rules = {
    ...RULES,
    allot: (clock, nowMs, most) => {
      const { lastMs, inSecond } = allotStamp(clock, nowMs, most);
      return {
        lastMs: lastMs % 1_000 === 1 && lastMs - 1 > clock.lastMs ? lastMs - 1 : lastMs,
        inSecond,
      };
    },
  };
  expect(sumOf(rules).lost).toBeGreaterThan(0);
});

it("with a clock that may go back, sessions appear behind the reader", () => {
  const rules: Rules = { ...RULES, allot: (_, nowMs) => ({ lastMs: nowMs, inSecond: 1 }) };
  expect(sumOf(rules).lost).toBeGreaterThan(0);
});

it("with a page that begins at the last item again, a walk at limit 1 never ends", () => {
  const rules: Rules = { ...RULES, isAfter: (session, { atMs }) => session.atMs >= atMs };
  expect(sumOf(rules).endlessLoops).toBeGreaterThan(0);
});

function sumOf(rules: Rules): Findings {
  const sum: Findings = { expected: 0, lost: 0, endlessLoops: 0, wronglyShown: 0 };
  for (let number = 0; number < HISTORIES; number++) {
    const found = modelHistory(new Random(SEED, number), rules);
    sum.expected += found.expected;
    sum.lost += found.lost;
    sum.endlessLoops += found.endlessLoops;
    sum.wronglyShown += found.wronglyShown;
  }
  return sum;
}

/** The rules that make the export lossless. A test takes them away one by one and sees the loss. */
interface Rules {
  allot(clock: StampClock, nowMs: number, mostInSecond: number): StampClock;
  /** A start keeps the account's clock to itself until it has committed. */
  locksClock: boolean;
  /** Nothing is shown behind an unsettled session, counted from where the request begins. */
  settledPrefix: boolean;
  isAfter(session: Position, position: Position): boolean;
}

const RULES: Rules = {
  allot: allotStamp,
  locksClock: true,
  settledPrefix: true,
  isAfter: (session, position) =>
    session.atMs > position.atMs || (session.atMs === position.atMs && session.id > position.id),
};

/** Sums over all walks of a history. */
interface Findings {
  /** Sessions that a walk should have met. */
  expected: number;
  lost: number;
  endlessLoops: number;
  /** Pages out of order, and sessions shown that must not be. */
  wronglyShown: number;
}

interface Position {
  atMs: number;
  id: number;
}

interface Session extends Position {
  test: boolean;
  settled: boolean;
}

/** A client: by `since` it goes on from the last item's whole second, by link from the last item. */
interface Walk {
  by: "since" | "link";
  limit: number;
  /** What it asked for first. Whether "since" includes that moment must make no difference. */
  fromMs: number;
  position: Position;
  seen: Set<number>;
}

/** Some second, at its start. */
const BASE_MS = 1_794_736_800_000;

/** One account's life in simulated time, with three clients, and what went wrong. */
function modelHistory(random: Random, rules: Rules = RULES): Findings {
  const findings: Findings = { expected: 0, lost: 0, endlessLoops: 0, wronglyShown: 0 };
  // Limit 100 and 99 a second in the product; smaller ones overflow within a few starts.
  const limit = random.pick([2, 2, 3, 4, 7]);
  let nowMs = BASE_MS + random.integer(0, 2_500);
  let clock: StampClock = { lastMs: nowMs - 5_000, inSecond: 1 };
  let started = 0;
  const committed: Session[] = [];
  const uncommitted: Session[] = [];
  const walks: Walk[] = [newWalk("since", limit, 0), newWalk("link", random.integer(1, limit), 0)];

  function start(): void {
    if (rules.locksClock) commitAll();
    clock = rules.allot(clock, nowMs, limit - 1);
    const test = random.chance(0.1);
    uncommitted.push({ atMs: clock.lastMs, id: started++, test, settled: false });
  }
  function commitAll(): void {
    while (uncommitted.length > 0) commitOne();
  }
  function commitOne(): void {
    const session = takeOne(uncommitted, random);
    if (session === undefined) return;
    let place = committed.length;
    while (place > 0 && rules.isAfter(committed[place - 1]!, session)) place--;
    committed.splice(place, 0, session);
  }
  function settleOne(): void {
    const open = committed.filter((session) => !session.settled);
    if (open.length > 0) random.pick(open).settled = true;
  }
  function readOne(): void {
    read(random.pick(walks), committed, rules, findings);
  }

  for (let steps = random.integer(4, 24); steps > 0; steps--) {
    const dice = random.next();
    if (dice < 0.3) start();
    else if (dice < 0.45) commitOne();
    else if (dice < 0.65) settleOne();
    else if (dice < 0.85) readOne();
    else nowMs = laterOrEarlier(nowMs, random);
    if (walks.length === 2 && random.chance(0.05)) {
      walks.push(newWalk(random.pick(["since", "link"]), limit, Math.floor(nowMs / 1_000) * 1_000));
    }
  }
  commitAll();
  while (committed.some((session) => !session.settled)) {
    settleOne();
    if (random.chance(0.5)) readOne();
  }
  for (const walk of walks) finish(walk, committed, rules, findings);
  return findings;
}

function newWalk(by: Walk["by"], limit: number, fromMs: number): Walk {
  return { by, limit, fromMs, position: { atMs: fromMs, id: Infinity }, seen: new Set() };
}

function laterOrEarlier(nowMs: number, random: Random): number {
  if (random.chance(0.15)) return nowMs - random.pick([1, 700, 1_000, 3_600_000]);
  // Often onto a whole second, where a stamp would be lost to one reading of "since".
  if (random.chance(0.3)) return (Math.floor(nowMs / 1_000) + 1) * 1_000;
  return nowMs + random.pick([0, 1, 40, 999, 1_000, 2_300]);
}

function takeOne<T>(items: T[], random: Random): T | undefined {
  return items.splice(random.integer(0, Math.max(0, items.length - 1)), 1)[0];
}

function page(walk: Walk, sessions: Session[], rules: Rules): Session[] {
  const items: Session[] = [];
  for (const session of sessions) {
    if (items.length === walk.limit) break;
    if (session.test || !rules.isAfter(session, walk.position)) continue;
    if (session.settled) items.push(session);
    else if (rules.settledPrefix) break;
  }
  return items;
}

/** One request of the client's loop. Says whether it is worth asking again at once. */
function read(walk: Walk, sessions: Session[], rules: Rules, findings: Findings): boolean {
  const items = page(walk, sessions, rules);
  const last = items.at(-1);
  if (last === undefined) return false;
  const seenBefore = walk.seen.size;
  let beforeMs = 0;
  for (const session of items) {
    if (session.test || !session.settled || session.atMs < beforeMs) findings.wronglyShown++;
    beforeMs = session.atMs;
    walk.seen.add(session.id);
  }
  const next =
    walk.by === "link" ? last : { atMs: Math.floor(last.atMs / 1_000) * 1_000, id: Infinity };
  const moved = next.atMs !== walk.position.atMs || next.id !== walk.position.id;
  const foundNew = walk.seen.size > seenBefore;
  walk.position = next;
  if (items.length === walk.limit && !foundNew && !moved) {
    findings.endlessLoops++;
    return false;
  }
  return foundNew || (moved && items.length === walk.limit);
}

function finish(walk: Walk, sessions: Session[], rules: Rules, findings: Findings): void {
  while (read(walk, sessions, rules, findings));
  for (const session of sessions) {
    if (session.test || session.atMs < walk.fromMs) continue;
    findings.expected++;
    if (!walk.seen.has(session.id)) findings.lost++;
  }
}
