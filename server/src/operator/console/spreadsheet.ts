import type { FoundSession } from "@svc/contract/types";

const FACTS: [title: string, cell: (session: FoundSession) => string | number | undefined][] = [
  ["started", (one) => one.created_at],
  ["account", (one) => one.account_name],
  ["agent", (one) => one.agent_slug],
  ["version", (one) => one.agent_version],
  ["status", (one) => one.status],
  ["name", (one) => one.customer_name],
  ["email", (one) => one.email],
  ["language", (one) => one.language],
  ["qualification", (one) => one.qualification],
  ["seconds", (one) => one.duration_secs],
  ["delivery", (one) => one.delivery],
  ["id", (one) => one.id],
];

/** A table for spreadsheets: what every session has, then a column for each question and each insight. */
export function spreadsheetOf(sessions: FoundSession[]): string {
  const keysOf = (part: "answers" | "insights"): string[] => [
    ...new Set(sessions.flatMap((one) => Object.keys(one[part]))),
  ];
  const [questions, insights] = [keysOf("answers"), keysOf("insights")];
  const titles = [
    ...FACTS.map(([title]) => title),
    ...questions.map((key) => `question ${key}`),
    ...insights.map((key) => `insight ${key}`),
  ];
  const rows = sessions.map((one) => [
    ...FACTS.map(([, cell]) => cell(one)),
    ...questions.map((key) => one.answers[key]),
    ...insights.map((key) => one.insights[key]),
  ]);
  // The mark at the beginning tells Excel that this is UTF-8.
  return `\ufeff${[titles, ...rows].map((cells) => cells.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

/** What spreadsheets take for a formula, also after spaces and in full width; the customers' export guards the same. */
const FORMULA =
  // oxlint-disable-next-line no-control-regex -- spreadsheets skip them
  /^(?:[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000\ufeff]*[-=+@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

function cellOf(value: string | number | undefined): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value ?? "") ? `'${value}` : (value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
