import { AppError } from "#platform";

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
