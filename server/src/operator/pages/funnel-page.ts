import type { FunnelDimension } from "#engagement";
import { heading, table, tone, wrap } from "../terminal/terminal.ts";
import type { Column, Terminal } from "../terminal/terminal.ts";
import { FUNNEL_STEPS, SHARE_OF, shareOf } from "./funnel-output.ts";
import type { Funnel, FunnelCounts, FunnelRow, FunnelStep } from "./funnel-output.ts";

const WORDS: Record<FunnelStep, string> = {
  button_viewed: "saw the button",
  opened: "opened the demo",
  form: "filled in the form",
  started: "started",
  microphone: "opened the microphone",
  talked: "talked",
  email_given: "gave an email",
  evaluated: "evaluated",
  qualified: "qualified",
  delivered: "delivered",
};

const TITLES: Record<FunnelStep, string> = {
  button_viewed: "SEEN",
  opened: "OPENED",
  form: "FORM",
  started: "STARTED",
  microphone: "VOICE",
  talked: "TALKED",
  email_given: "EMAIL",
  evaluated: "EVALUATED",
  qualified: "QUALIFIED",
  delivered: "DELIVERED",
};

export function renderFunnel(funnel: Funnel, terminal: Terminal): string {
  const { whose, since, by, rows } = funnel;
  const title = `${heading(terminal, whose)} ${tone(terminal, "quiet", `since ${since.slice(0, 10)}, days in UTC`)}`;
  if (funnel.steps.every(({ count }) => count === 0))
    return [title, "", ...EMPTY.map((line) => wrap(line, terminal.width, 0))].join("\n");
  return [
    title,
    "",
    by === undefined || rows === undefined ? inAll(funnel, terminal) : byValue(by, rows, terminal),
    ...notes(funnel).flatMap((note) => [
      "",
      tone(terminal, "quiet", wrap(note, terminal.width, 0)),
    ]),
  ].join("\n");
}

const EMPTY = [
  "Nothing was counted. Pages count by themselves once their snippet is in place: svc agents snippet <agent>.",
  "Who sees the button is counted on pages that call Svc.trackButtonView(button). Test origins and test sessions are left out. Look further back with --since 90d.",
];

function inAll({ steps }: Funnel, terminal: Terminal): string {
  return table(terminal, steps, [
    { title: "STEP", cell: ({ step }) => WORDS[step] },
    { title: "COUNT", cell: ({ count }) => figure(count), align: "right" },
    { title: "SHARE", cell: ({ share }) => percent(share), align: "right" },
    { title: "OF THOSE WHO", cell: ({ of }) => (of === undefined ? "" : OF_WORDS[of]) },
  ]);
}

const OF_WORDS: Record<FunnelStep, string> = { ...WORDS, evaluated: "were evaluated" };

/** Steps that not every visitor takes give way where the terminal is narrow. */
const SIDE_STEPS: FunnelStep[] = ["form", "microphone", "delivered"];

function byValue(by: FunnelDimension, rows: FunnelRow[], terminal: Terminal): string {
  const shown = FUNNEL_STEPS.filter((step) =>
    rows.some(({ counts }) => counts[step] !== undefined),
  );
  const shares: FunnelStep[] = ["opened", "started", "talked", "qualified"];
  return table(terminal, rows, [
    {
      title: by.toUpperCase(),
      // The scheme is the same almost everywhere, and the path tells pages apart.
      cell: ({ value, name }) => name ?? value?.replace(/^https:\/\//, "") ?? "unknown",
      flexible: true,
      keepsEnd: by === "page",
    },
    ...shown.map((step): Column<FunnelRow> => ({
      title: TITLES[step],
      cell: ({ counts }) => figure(counts[step]),
      align: "right",
      ...(SIDE_STEPS.includes(step) && { optional: true }),
    })),
    ...shares
      .filter((step) => rows.some(({ counts }) => shareOf(counts, step) !== undefined))
      .map((step): Column<FunnelRow> => ({
        title: `${TITLES[step]}/${TITLES[SHARE_OF[step]!]}`,
        cell: ({ counts }) => percent(shareOf(counts, step)),
        align: "right",
        optional: true,
      })),
  ]);
}

function notes({ by, rows, steps, declined, retention_days: days }: Funnel): string[] {
  const isTracked = steps.some(({ step, count }) => step === "button_viewed" && count > 0);
  return [
    ...(by === undefined && declined > 0
      ? [`${figure(declined)} closed the notice without starting.`]
      : []),
    ...(isTracked
      ? []
      : ["No button is tracked: pages that call Svc.trackButtonView(button) count who sees it."]),
    ...(by === "entry" ? ["modal is the page's own button."] : []),
    ...(rows?.some(({ value }) => value === undefined)
      ? ["unknown: counted by pages that did not say it, as those with an earlier SDK do not."]
      : []),
    ...(days === undefined
      ? []
      : [
          `Sessions are kept for ${days} days. Before that, the steps from "started" on are missing.`,
        ]),
  ];
}

/** One line for the page of an agent. */
export function funnelLine(counts: FunnelCounts): string {
  const count = (step: FunnelStep): string => figure(counts[step]);
  return `${count("button_viewed")} saw the button, ${count("opened")} opened, ${count("started")} started, ${count("qualified")} qualified`;
}

function figure(count: number | undefined): string {
  return count === undefined ? "" : count.toLocaleString("en");
}

/** Below one percent with a digit more: most pages have few who open. */
function percent(share: number | undefined): string {
  if (share === undefined) return "";
  const digits = share > 0 && share < 0.01 ? 1 : 0;
  return `${(share * 100).toFixed(digits)} %`;
}
