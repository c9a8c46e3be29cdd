import { readFunnel } from "#engagement";
import type { FunnelDimension, FunnelFilter, FunnelRows } from "#engagement";
import type { Db } from "#platform";
import { NOTHING, tallySessions } from "#sessions";
import type { SessionTally } from "#sessions";
import * as z from "zod";

export const FUNNEL_STEPS = [
  "button_viewed",
  "opened",
  "form",
  "started",
  "microphone",
  "talked",
  "email_given",
  "evaluated",
  "qualified",
  "delivered",
] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** The step that a share is taken of: the one before, unless both follow from the same one. */
export const SHARE_OF: Partial<Record<FunnelStep, FunnelStep>> = {
  opened: "button_viewed",
  started: "opened",
  microphone: "started",
  talked: "started",
  email_given: "talked",
  evaluated: "talked",
  qualified: "evaluated",
  delivered: "qualified",
};

/** A step is absent where it is not known. */
export const FunnelCounts: z.ZodType<FunnelCounts> = z
  .partialRecord(z.enum(FUNNEL_STEPS), z.int())
  .describe("A step is absent where it is not known");
export type FunnelCounts = Partial<Record<FunnelStep, number>>;

export interface Funnel {
  whose: string;
  since: string;
  by?: FunnelDimension;
  retention_days?: number;
  steps: { step: FunnelStep; count: number; of?: FunnelStep; share?: number }[];
  declined: number;
  rows?: FunnelRow[];
}

export interface FunnelRow {
  value?: string;
  name?: string;
  counts: FunnelCounts;
}

export const DIMENSIONS: readonly FunnelDimension[] = [
  "day",
  "agent",
  "page",
  "language",
  "entry",
  "version",
  "device",
];

export const Funnel: z.ZodType<Funnel> = z.strictObject({
  whose: z.string().describe("The agent, the account, or all accounts"),
  since: z.iso.datetime().describe("The beginning of a day in UTC"),
  by: z.enum(DIMENSIONS).exactOptional(),
  retention_days: z
    .int()
    .exactOptional()
    .describe("Present where sessions are kept for less time than is shown"),
  steps: z.array(
    z.strictObject({
      step: z.enum(FUNNEL_STEPS),
      count: z.int(),
      of: z.enum(FUNNEL_STEPS).exactOptional(),
      share: z.number().exactOptional().describe("Of the step that `of` names, from 0 to 1"),
    }),
  ),
  declined: z.int().describe("Visitors who closed the notice without starting"),
  rows: z
    .array(
      z.strictObject({
        value: z
          .string()
          .exactOptional()
          .describe("Absent where it is not known; `other` for all beyond those that are listed"),
        name: z.string().exactOptional().describe("What the agent is called, with --by agent"),
        counts: FunnelCounts,
      }),
    )
    .exactOptional(),
});

/** Pages are counted per day in UTC, so sessions are too. */
export function startOfDay(at: Date): Date {
  return new Date(`${at.toISOString().slice(0, 10)}T00:00:00.000Z`);
}

/** The funnel in all, from what pages counted and from the sessions that came of it. */
export async function funnelOf(
  db: Db,
  filter: FunnelFilter,
): Promise<Pick<Funnel, "steps" | "declined">> {
  const events = (await readFunnel(db, filter)).get(null) ?? {};
  const [sessions = NOTHING] = await tallySessions(db, filter);
  const counts = { ...ofPages(events), ...ofSessions(sessions) };
  return {
    steps: FUNNEL_STEPS.map((step) => {
      const count = counts[step] ?? 0;
      const share = shareOf(counts, step);
      return { step, count, ...(share !== undefined && { of: SHARE_OF[step]!, share }) };
    }),
    declined: events.declined ?? 0,
  };
}

/** Undefined where there is nothing to take a share of: no button is tracked, or the widget opened the demo. */
export function shareOf(counts: FunnelCounts, step: FunnelStep): number | undefined {
  const of = SHARE_OF[step];
  const [count, base] = [counts[step], of && counts[of]];
  if (count === undefined || base === undefined || base === 0 || count > base) return undefined;
  return count / base;
}

/** The same by the values of a dimension, those with most visitors first; days and versions in their order. */
export async function funnelRows(
  db: Db,
  filter: FunnelFilter,
  by: FunnelDimension,
  limit: number,
): Promise<FunnelRow[]> {
  const rows = new Map<string | null, FunnelCounts>();
  addPages(rows, await readFunnel(db, filter, by), by);
  addSessions(rows, await tallySessions(db, filter, by), by);
  const counted = [...rows].filter(([, counts]) =>
    Object.values(counts).some((count) => count > 0),
  );
  const { known = [], rest = [] } = Object.groupBy(counted, ([value]) =>
    value === null || value === "other" ? "rest" : "known",
  );
  const sorted = known.toSorted(ORDER[by] ?? byVisitors);
  const beyond = sorted.slice(limit).map(([, counts]) => counts);
  const [other, unknown] = ["other", null].map((name) =>
    rest.filter(([value]) => value === name).map(([, counts]) => counts),
  );
  return [
    ...sorted.slice(0, limit).map(([value, counts]) => ({ value: value!, counts })),
    ...summed([...beyond, ...other!]).map((counts) => ({ value: "other", counts })),
    ...summed(unknown!).map((counts) => ({ counts })),
  ];
}

type Entry = [value: string | null, counts: FunnelCounts];

const byVisitors = ([, a]: Entry, [, b]: Entry): number =>
  (b.opened ?? 0) - (a.opened ?? 0) || (b.started ?? 0) - (a.started ?? 0);

const ORDER: Partial<Record<FunnelDimension, (a: Entry, b: Entry) => number>> = {
  day: ([a], [b]) => (a! < b! ? 1 : -1),
  version: ([a], [b]) => Number(b) - Number(a),
};

/** One row of all, or none. */
function summed(all: FunnelCounts[]): FunnelCounts[] {
  return all.length === 0 ? [] : [all.reduce(plus)];
}

function plus(a: FunnelCounts, b: FunnelCounts): FunnelCounts {
  const sums = FUNNEL_STEPS.flatMap((step) =>
    a[step] === undefined && b[step] === undefined
      ? []
      : [[step, (a[step] ?? 0) + (b[step] ?? 0)] as const],
  );
  return Object.fromEntries(sums);
}

function addPages(
  rows: Map<string | null, FunnelCounts>,
  counted: FunnelRows,
  by: FunnelDimension,
): void {
  for (const [value, events] of counted) {
    rows.set(value, ofPages(events, by));
  }
}

function addSessions(
  rows: Map<string | null, FunnelCounts>,
  found: SessionTally[],
  by: FunnelDimension,
): void {
  for (const sessions of found) {
    const { value } = sessions;
    rows.set(value, plus(rows.get(value) ?? ofPages({}, by), ofSessions(sessions)));
  }
  // A page on which nobody started has no sessions, and that is known.
  for (const [value, counts] of rows)
    if (counts.started === undefined) rows.set(value, plus(counts, ofSessions(NOTHING)));
}

/** A language is chosen when the demo opens: before that, none is known. */
function ofPages(
  { button_viewed = 0, opened = 0, form = 0 }: Partial<Record<string, number>>,
  by?: FunnelDimension,
): FunnelCounts {
  return by === "language" ? { opened } : { button_viewed, opened, form };
}

function ofSessions(tally: SessionTally): FunnelCounts {
  return {
    started: tally.started,
    microphone: tally.microphone,
    talked: tally.talked,
    email_given: tally.emailGiven,
    evaluated: tally.evaluated,
    qualified: tally.qualified,
    delivered: tally.delivered,
  };
}
