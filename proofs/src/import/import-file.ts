import { randomUUID } from "node:crypto";
import type { Session } from "@svc/contract/types";
import { Random } from "@svc/tools/random";
import { hostileSessions } from "../export/csv/hostile-sessions.ts";

/** What an earlier system would hand over, and what the export must say of it. */
export interface ImportFile {
  /** As they stand in the file. */
  sessions: Session[];
  /** The start of each, in whole milliseconds. */
  givenMs: number[];
  /** What the export must return, but for `created_at`. */
  expected: Omit<Session, "created_at">[];
}

const SPAN_SECS = 40_000;

/** Sessions full of text that hurts, at times that hurt: ties, whole seconds, bursts, dense minutes. */
export function makeImportFile(
  count: number,
  agentId: string,
  seed: number,
  order: "ascending" | "shuffled",
): ImportFile {
  const random = new Random(seed);
  const given = hurtfulTimes(count, random);
  if (order === "shuffled") shuffle(given, random);
  const sessions = hostileSessions(count, agentId, seed).map((session, index): Session => ({
    ...importable(session, index, random),
    id: randomUUID(),
    created_at: asWritten(given[index]!, random),
  }));
  return {
    sessions,
    givenMs: given,
    expected: sessions.map(asStored),
  };
}

export function toLines(sessions: readonly unknown[]): string {
  return sessions.map((session) => `${JSON.stringify(session)}\n`).join("");
}

/** Two months ago and later, in ascending order. */
function hurtfulTimes(count: number, random: Random): number[] {
  const times: number[] = [];
  let second = Math.floor(Date.now() / 1_000) - 60 * 86_400;
  // Each kind once at its largest, or a small file might hold no burst.
  const first = [...KINDS];
  while (times.length < count) {
    second += random.integer(1, Math.max(1, Math.floor((SPAN_SECS * 20) / count)));
    const kind = first.pop();
    times.push(...stretch(second, random, kind ?? random.pick(KINDS), kind !== undefined));
    second = Math.floor(times.at(-1)! / 1_000);
  }
  times.length = count;
  return times.toSorted((a, b) => a - b);
}

const KINDS = ["spread", "tie", "whole", "seconds", "burst", "edge", "dense"] as const;

function stretch(
  second: number,
  random: Random,
  kind: (typeof KINDS)[number],
  largest: boolean,
): number[] {
  const repeat = (most: number, make: (index: number) => number): number[] =>
    Array.from(
      { length: largest ? most : random.integer(1, most) },
      (_, index) => second * 1_000 + make(index),
    );
  const ms = random.integer(0, 999);
  switch (kind) {
    case "spread":
      return repeat(10, (index) => ms + index * random.integer(100, 900));
    case "tie":
      return repeat(8, () => ms);
    // An earlier system that knew whole seconds only.
    case "whole":
      return repeat(largest || random.chance(0.1) ? 260 : 12, () => 0);
    case "seconds":
      return repeat(20, (index) => index * 1_000);
    case "burst":
      return repeat(largest || random.chance(0.1) ? 400 : 60, () => random.integer(0, 999));
    case "edge":
      return repeat(110, () => random.pick([0, 1, 998, 999]));
    // Near the most that a second takes, for a while: what overflows finds no room for long.
    case "dense":
      return repeat(300, (index) => Math.floor(index * 9.8));
  }
}

/** The hostile session with an address in its normal form, metadata within its caps, and now and then what cannot be stored. */
function importable(session: Session, index: number, random: Random): Session {
  const { metadata, email, summary, ...rest } = session;
  const short = (text: string): string => text.slice(0, 800).toWellFormed();
  return {
    ...rest,
    ...(metadata !== undefined && {
      metadata: Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [short(key), short(value)]),
      ),
    }),
    ...(email !== undefined && {
      email: `${random.pick(LOCAL_PARTS)}${index}@${random.pick(DOMAINS)}`,
    }),
    ...(summary !== undefined && {
      summary: index % 25 === 0 ? `${summary}\0 and \ud800` : summary,
    }),
  };
}

const LOCAL_PARTS = ["visitor", "=1+1", "jörg", "a.b+c", "o'brien", "女士"];
const DOMAINS = ["example.com", "xn--bcher-kva.example", "mail.example.co.uk"];

/** NUL and lone surrogates become U+FFFD; nothing else may change. */
function asStored({ created_at: _given, ...rest }: Session): Omit<Session, "created_at"> {
  if (rest.summary === undefined) return rest;
  return { ...rest, summary: rest.summary.toWellFormed().replaceAll("\0", "\uFFFD") };
}

/** The same moment in the ways that RFC 3339 allows; what is finer than a millisecond is cut. */
function asWritten(ms: number, random: Random): string {
  const iso = new Date(ms).toISOString();
  switch (random.integer(0, 9)) {
    case 0:
      return iso.replace("Z", `${random.integer(0, 999)}Z`);
    case 1:
      return new Date(ms + 19_800_000).toISOString().replace("Z", "+05:30");
    case 2:
      return iso.replace(".000Z", "Z");
    default:
      return iso;
  }
}

function shuffle(items: number[], random: Random): void {
  for (let index = items.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [items[index], items[other]] = [items[other]!, items[index]!];
  }
}
