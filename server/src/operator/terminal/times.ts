import type { Terminal } from "./terminal.ts";

/** Formats how long ago a time was, in the largest unit that fits; beyond a month, as a date. */
export function ago({ nowMs }: Terminal, at: string): string {
  const secs = (nowMs - Date.parse(at)) / 1_000;
  if (Math.abs(secs) >= 30 * DAY_SECS) return at.slice(0, 10);
  const size = span(Math.abs(secs));
  if (size === "now") return "just now";
  return secs < 0 ? `in ${size}` : `${size} ago`;
}

/** The same with the exact time beside it. */
export function moment(terminal: Terminal, at: string | undefined): string | undefined {
  return at === undefined ? undefined : `${ago(terminal, at)} (${at})`;
}

/** A length of time: `48s`, `4m 12s`, `1h 03m`. */
export function duration(secs: number): string {
  const whole = Math.round(secs);
  const padded = (number: number): string => String(number).padStart(2, "0");
  if (whole < 60) return `${whole}s`;
  if (whole < HOUR_SECS) return `${Math.floor(whole / 60)}m ${padded(whole % 60)}s`;
  return `${Math.floor(whole / HOUR_SECS)}h ${padded(Math.floor((whole % HOUR_SECS) / 60))}m`;
}

const HOUR_SECS = 3_600;
const DAY_SECS = 86_400;

function span(secs: number): string {
  if (secs < 1) return "now";
  if (secs < 60) return `${Math.floor(secs)} s`;
  if (secs < HOUR_SECS) return `${Math.floor(secs / 60)} min`;
  if (secs < 2 * DAY_SECS) return `${Math.floor(secs / HOUR_SECS)} h`;
  return `${Math.floor(secs / DAY_SECS)} days`;
}
