import { isDeepStrictEqual } from "node:util";

const SHOWN_CHARACTERS = 300;

/** Counts values that were compared, and remembers those that differ. */
export class Comparison {
  values = 0;
  readonly faults: string[] = [];

  equal(what: string, shown: unknown, expected: unknown): void {
    this.values += leavesOf(expected);
    if (isDeepStrictEqual(shown, expected)) return;
    const text = (value: unknown): string =>
      (JSON.stringify(value) ?? "nothing").slice(0, SHOWN_CHARACTERS);
    const [at, one, other] = firstDifference(shown, expected);
    this.faults.push(`${what}${at}: shown ${text(one)}, expected ${text(other)}`);
  }
}

function leavesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one: unknown) => sum + leavesOf(one), 0);
}

function firstDifference(one: unknown, other: unknown): [at: string, unknown, unknown] {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return ["", one, other];
  }
  const [a, b] = [one, other] as Record<string, unknown>[];
  const key = [...Object.keys(other), ...Object.keys(one)].find(
    (name) => !isDeepStrictEqual(a![name], b![name]),
  );
  if (key === undefined) return ["", one, other];
  const [at, shown, expected] = firstDifference(a![key], b![key]);
  return [`.${key}${at}`, shown, expected];
}
