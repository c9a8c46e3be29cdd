/** Words for times, lengths and money. English with the reader's own order of dates would mix two languages. */

const STEPS: [limitSecs: number, unitSecs: number, unit: string][] = [
  [60, 1, "s"],
  [3_600, 60, "min"],
  [86_400, 3_600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "d"],
];

/** How long ago, or until when: "9 min", "in 12 s". */
export function ago(at: string, nowMs: number): string {
  const secs = (nowMs - Date.parse(at)) / 1_000;
  const [, unitSecs, unit] = STEPS.find(([limit]) => Math.abs(secs) < limit)!;
  return `${secs < 0 ? "in " : ""}${Math.floor(Math.abs(secs) / unitSecs)} ${unit}`;
}

/** In the reader's time zone, to the second. */
export function moment(at: string): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** As a field for a date and a time takes it: in the reader's time zone, to the minute. */
export function fieldTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function timeOfDay(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

/** "140 ms", "1.7 s" */
export function waited(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** "2:38", "1:02:09" */
export function duration(secs: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const hours = Math.floor(secs / 3_600);
  const minutes = Math.floor(secs / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(secs % 60)}` : `${minutes}:${two(secs % 60)}`;
}

const DAY_MS = 86_400_000;

/** The first of so many days up to today, each of which counts as a whole. */
export function firstDay(days: string): string {
  return new Date(Date.now() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Prices have the currency that the operator set them in, which the server does not know. */
export function money(micros: number): string {
  const value = micros / 1e6;
  return value.toLocaleString("en", {
    minimumFractionDigits: 2,
    maximumFractionDigits: value < 1 ? 4 : 2,
  });
}

/** Why a try got no answer, by the server's word for it. */
const OUTCOMES: Record<string, string> = {
  connect_failed: "Not reachable",
  tls_failed: "Certificate not valid",
  timed_out: "No answer in time",
  connection_lost: "Closed early",
  bad_answer: "Not HTTP",
  name_not_found: "No such name",
  dns_failed: "DNS failed",
  bad_address: "Address not allowed",
  forbidden_address: "Address not allowed",
};

export function outcomeName(outcome: string): string {
  return OUTCOMES[outcome] ?? titleOf(outcome);
}

/** `team_size` as "Team size" */
export function titleOf(key: string): string {
  const words = key.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
