import { Random } from "@svc/tools/random";

/** What happens on one account, and who reads it meanwhile. Times count from the history's begin. */
export interface History {
  sessions: PlannedSession[];
  walks: PlannedWalk[];
}

export interface PlannedSession {
  startMs: number;
  /** Its start takes so long to commit. */
  commitMs?: number;
  endMs: number;
  test: boolean;
  outcome: "abandoned" | "processed" | "error";
  /** Evaluated again at this time, and then `processed`. */
  reevaluateMs?: number;
}

export interface PlannedWalk {
  by: "since" | "link";
  format: "json" | "csv";
  limit: number;
  /** 0 reads everything; a later one asks only for what starts from then on. */
  joinMs: number;
}

const BURST = { sessions: 500, everyHistory: 200 };
const STARTS_WITHIN_MS = 2_200;

/** The same seed and number give the same history. Number 0 has a burst. */
export function planHistory(seed: number, number: number): History {
  const random = new Random(seed, number);
  const sessions: PlannedSession[] = [];
  if (number % BURST.everyHistory === 0) sessions.push(...burst(random));
  // At least one ends after sessions of later seconds have come and gone.
  sessions.push(session(random, random.integer(0, 300), random.integer(2_000, 2_500)));
  for (let singles = random.integer(2, 11); singles > 0; singles--) {
    sessions.push(session(random, random.integer(0, STARTS_WITHIN_MS)));
  }
  for (let ties = random.integer(0, 2); ties > 0; ties--) {
    const startMs = random.integer(0, STARTS_WITHIN_MS);
    const first = session(random, startMs);
    // The others could settle and be read before the first is committed.
    if (random.chance(0.4)) first.commitMs = random.integer(50, 400);
    sessions.push(first);
    for (let others = random.integer(1, 7); others > 0; others--) {
      sessions.push(session(random, startMs));
    }
  }
  return { sessions, walks: walks(random) };
}

function session(random: Random, startMs: number, lengthMs = usualLength(random)): PlannedSession {
  const endMs = startMs + lengthMs;
  const outcome = random.pick(["abandoned", "processed", "processed", "error"] as const);
  const again = outcome !== "abandoned" && random.chance(outcome === "error" ? 0.5 : 0.15);
  return {
    startMs,
    endMs,
    test: random.chance(0.1),
    outcome,
    ...(again && { reevaluateMs: endMs + random.integer(0, 500) }),
  };
}

function usualLength(random: Random): number {
  return random.chance(0.15) ? random.integer(500, 2_000) : random.integer(0, 500);
}

/**
 * Nearly all leave without a word, which is the cheapest to play; some stay and hold the others up.
 * No tests among them: they take stamps and are not shown, and a second must be full of what is.
 */
function burst(random: Random): PlannedSession[] {
  return Array.from({ length: BURST.sessions }, () =>
    random.chance(0.05)
      ? { ...session(random, 0), test: false }
      : { startMs: 0, endMs: random.integer(300, 1_800), test: false, outcome: "abandoned" },
  );
}

function walks(random: Random): PlannedWalk[] {
  const format = (): PlannedWalk["format"] => (random.chance(0.2) ? "csv" : "json");
  const small = random.chance(0.5);
  const both: PlannedWalk[] = [
    { by: "since", format: format(), limit: 100, joinMs: 0 },
    {
      by: "link",
      format: format(),
      limit: small ? random.integer(1, 4) : random.integer(1, 100),
      joinMs: 0,
    },
  ];
  const latecomer = random.pick(both);
  if (random.chance(0.2)) both.push({ ...latecomer, joinMs: random.integer(300, 2_000) });
  return both;
}
