import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "#platform";
import { explain } from "../terminal/explain-error.ts";
import type { Operator } from "../operator.ts";
import { LOOK_WITHIN_MS } from "./check.ts";
import type { Check, Finding } from "./check.ts";

export interface Examined extends Finding {
  name: string;
  tookMs: number;
}

/**
 * Runs all checks at once, those that need the database as soon as it has answered, and returns what
 * they found in their own order. A check that hangs is a finding after its time limit.
 */
export async function examine(checks: readonly Check[], operator: Operator): Promise<Examined[]> {
  for (const check of checks) await check.prepare?.(operator);
  let done = 0;
  const run = async (check: Check, looking: () => Promise<Finding>): Promise<Examined> => {
    const { monotonicMs } = operator.clock;
    const startedMs = monotonicMs();
    const found = await looking();
    operator.progress((done += 1), checks.length, "checks");
    return { ...found, name: check.name, tookMs: found.tookMs ?? monotonicMs() - startedMs };
  };
  const database = checks.find(({ name }) => name === "database");
  const answered = database && run(database, () => lookInTime(database, operator));
  const examined = await Promise.all(
    checks.map(async (check) => {
      if (check === database) return answered!;
      if (check.needsDatabase && (await answered)?.state !== "ok")
        return run(check, async () => ({ state: "skip", says: "needs the database", tookMs: 0 }));
      return run(check, () => lookInTime(check, operator));
    }),
  );
  return withoutEchoes(examined);
}

async function lookInTime(check: Check, operator: Operator): Promise<Finding> {
  const withinMs = check.withinMs ?? LOOK_WITHIN_MS;
  const finished = new AbortController();
  try {
    return await Promise.race([check.look(operator), hanging(withinMs, finished.signal)]);
  } catch (error) {
    return trouble(error);
  } finally {
    finished.abort();
  }
}

const TICK_MS = 100;

/** Resolves once time is up. Counts ticks: while the machine lets this process wait, no time passes for the check. */
async function hanging(withinMs: number, finished: AbortSignal): Promise<Finding> {
  for (let ms = 0; ms < withinMs && !finished.aborted; ms += TICK_MS) await delay(TICK_MS);
  return {
    state: "fail",
    says: `did not end within ${withinMs / 1_000} s`,
    fix: "Run `svc doctor` again. If it stays, what this check asks hangs or is overloaded.",
  };
}

function trouble(error: unknown): Finding {
  const code = errorCode(error);
  if (code === "57014") {
    return {
      state: "fail",
      says: "the database took too long to answer",
      fix: "Look in pg_stat_activity for what it waits for: a lock, or too much work.",
    };
  }
  const { what, why, fix } = explain(error);
  const lacksSchema = UNKNOWN_TO_SCHEMA.test(code);
  return { state: "fail", says: `${what} ${why}`.replace(/\.$/, ""), fix, lacksSchema };
}

/** A table, a column, a function or a schema that does not exist. */
const UNKNOWN_TO_SCHEMA = /^(?:42P01|42703|42883|3F000)$/;

/** A missing migration is found once, not again by every check that needs it. */
function withoutEchoes(examined: Examined[]): Examined[] {
  const isBehind = examined.some(({ name, state }) => name === "migrations" && state === "fail");
  if (!isBehind) return examined;
  return examined.map(({ fix, ...one }) =>
    one.lacksSchema
      ? { ...one, state: "skip", says: "needs the migrations" }
      : { ...one, ...(fix !== undefined && { fix }) },
  );
}
