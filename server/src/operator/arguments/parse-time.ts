import { AppError } from "#platform";
import { optional } from "../command.ts";
import type { Input } from "../command.ts";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `--since` as a moment: `24h`, `7d`, a day in UTC, or an exact time. Undefined when not given. */
export function parseSince(input: Input, nowMs: number): Date | undefined {
  return parseTime(optional(input, "since"), nowMs, "--since");
}

/** The same for an option of another name. */
export function parseTime(
  typed: string | undefined,
  nowMs: number,
  flag: string,
): Date | undefined {
  const text = typed?.trim();
  if (text === undefined) return undefined;
  const back = /^(\d{1,5})([mhdw])$/.exec(text);
  if (back !== null) return new Date(nowMs - Number(back[1]) * UNIT_MS[back[2] as "m"]);
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : undefined;
  // JavaScript takes 2026-02-30 for a day in March.
  const isDay = at !== undefined && !Number.isNaN(at.getTime());
  if (isDay && (text.length > 10 || at.toISOString().startsWith(text))) return at;
  throw new AppError("invalid_input", {
    what: `"${text}" is no time.`,
    why: `${flag} takes how long ago, a day, or an exact time.`,
    fix: "Write 30m, 24h, 7d, 2026-11-01 or 2026-11-01T09:30:00Z.",
  });
}

const UNIT_SECS: Record<string, number> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** A length of time as it is typed, `30m` or `24h`, in seconds. */
export function parseSpan(text: string, option: string): number {
  const found = /^(\d{1,5})([mhdw])$/.exec(text.trim());
  if (found !== null) return Number(found[1]) * UNIT_SECS[found[2]!]!;
  throw new AppError("invalid_input", {
    what: `"${text}" is no length of time.`,
    why: `${option} takes a number and m, h, d or w.`,
    fix: "Write 30m, 24h or 7d.",
  });
}
