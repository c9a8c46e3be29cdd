import { evaluateAgain, playEvaluated } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { Gate } from "../export/histories/play-history.ts";

const AT_ONCE = 6;
/** Of ten sessions, the last ones are evaluated three times in a row. */
const EVALUATED_ONCE = 8;
const VERSIONS = 3;

/** Writes so many evaluations as fast as it can; of more than eight, some are of the same session. */
export async function writeEvaluations(
  { db }: TestDatabase,
  customer: Customer,
  count: number,
): Promise<void> {
  const gate = new Gate(AT_ONCE);
  const playing: Promise<void>[] = [];
  let left = count;
  for (let number = 0; left > 0; number++) {
    const versions = Math.min(left, number % 10 < EVALUATED_ONCE ? 1 : VERSIONS);
    left -= versions;
    playing.push(
      gate.pass(async () => {
        const { id } = await playEvaluated(db, customer);
        for (let version = 2; version <= versions; version++) await evaluateAgain(db, id);
      }),
    );
  }
  await Promise.all(playing);
}
