import { sessionCosts } from "#sessions";
import type { ModelCosts } from "#sessions";
import * as z from "zod";
import { WHOSE, whoseSessions } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { agentNames } from "../pages/agent-names.ts";
import { startOfDay } from "../pages/funnel-output.ts";
import { heading, table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const BY = ["day", "agent", "model"] as const;

const Cost = {
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_micros: z
    .int()
    .exactOptional()
    .describe("Of what had a price, in millionths of its currency; absent when nothing had"),
  unpriced_tokens: z.int().describe("Tokens whose cost is not known"),
};
const Row = z.strictObject({
  value: z.string().describe("What it was for, or the day, the agent's id or the model"),
  name: z.string().exactOptional().describe("What the agent is called, with --by agent"),
  ...Cost,
});
type Row = z.infer<typeof Row>;

const Output = z.strictObject({
  since: z.iso.datetime().describe("Sessions that started from the beginning of this day in UTC"),
  by: z.enum(BY).exactOptional(),
  rows: z.array(Row),
  total: z.strictObject(Cost),
  unpriced_models: z.array(z.string()),
  unpriced_speech: z
    .int()
    .describe("Conversations by voice of which it is not known what speech cost"),
});
type Output = z.infer<typeof Output>;

const costs = defineCommand({
  name: "costs",
  summary: "Show what models cost, as far as they have a price",
  options: [
    ...WHOSE,
    { flags: "--by <what>", summary: "a row for each of these", choices: BY },
    {
      flags: "--since <time>",
      summary: "sessions that started from the day of then on: 7d or 2026-11-01",
      default: "30d",
    },
  ],
  examples: [
    ["svc costs", "talking, speech and evaluating in the last 30 days"],
    ["svc costs --account acme --by day --since 7d", "one customer's week"],
    ["svc costs --by model", "which model costs most"],
  ],
  output: Output,
  run: async (operator, input) => {
    const db = operator.db();
    const since = startOfDay(parseSince(input, operator.clock.nowMs())!);
    const by = optional(input, "by") as (typeof BY)[number] | undefined;
    const filter = { ...(await whoseSessions(db, input)), since };
    const split = by === "model" ? undefined : by;
    const { models, unpricedSpeech } = await sessionCosts(db, filter, split);
    const free = operator.freeModels();
    const grouped = Map.groupBy(models, (one) => (by === "model" ? modelOf(one) : placeOf(one)));
    const names = by === "agent" ? await agentNames(db) : undefined;
    const rows = [...grouped].map(([value, some]): Row => {
      const name = names?.get(value);
      return { value, ...(name !== undefined && { name }), ...sumOf(some, free) };
    });
    return {
      since: since.toISOString(),
      ...(by !== undefined && { by }),
      rows: rows.toSorted(by === "day" ? newestFirst : dearestFirst),
      total: sumOf(models, free),
      unpriced_models: [...new Set(models.filter((one) => unpriced(one, free) > 0).map(modelOf))],
      unpriced_speech: unpricedSpeech,
    };
  },
  render,
});

const modelOf = ({ model }: ModelCosts): string => model ?? "unknown";

/** The day or the agent; without --by what it was for. */
function placeOf({ value, purpose, model }: ModelCosts): string {
  if (value !== null) return value;
  if (purpose === "evaluation") return "evaluating";
  return model === "speech" ? "speech" : "talking";
}

/** Zero is a price only of models that the settings price at zero. */
function unpriced({ model, tokensAtZero }: ModelCosts, free: ReadonlySet<string>): number {
  return model !== null && free.has(model) ? 0 : tokensAtZero;
}

function sumOf(all: ModelCosts[], free: ReadonlySet<string>): Output["total"] {
  const sum = (part: (one: ModelCosts) => number): number =>
    all.reduce((total, one) => total + part(one), 0);
  const unpricedTokens = sum((one) => unpriced(one, free));
  const costMicros = sum((one) => one.costMicros);
  const isKnown = costMicros > 0 || unpricedTokens === 0;
  return {
    input_tokens: sum((one) => one.inputTokens),
    output_tokens: sum((one) => one.outputTokens),
    ...(isKnown && { cost_micros: costMicros }),
    unpriced_tokens: unpricedTokens,
  };
}

const newestFirst = (a: Row, b: Row): number => (a.value < b.value ? 1 : -1);
const dearestFirst = (a: Row, b: Row): number =>
  (b.cost_micros ?? 0) - (a.cost_micros ?? 0) ||
  b.input_tokens - a.input_tokens ||
  (a.name ?? a.value).localeCompare(b.name ?? b.value, "en");

function render(output: Output, terminal: Terminal): string {
  const { since, by = "for", rows, total, unpriced_speech: speech } = output;
  const title = `${heading(terminal, "Costs")} ${tone(terminal, "quiet", `of sessions since ${since.slice(0, 10)}, days in UTC`)}`;
  if (rows.length === 0)
    return `${title}\n\n${wrap("No session used a model. Look further back with --since 90d.", terminal.width, 0)}`;
  const isTotalKnown = speech === 0 || total.cost_micros === undefined;
  const all = { ...total, value: "in all", isLeast: !isTotalKnown };
  return [
    title,
    "",
    table<Row & { isLeast?: boolean }>(
      terminal,
      [...rows, all],
      [
        { title: by.toUpperCase(), cell: ({ value, name }) => name ?? value, flexible: true },
        { title: "TOKENS IN", cell: (one) => figure(one.input_tokens), align: "right" },
        { title: "TOKENS OUT", cell: (one) => figure(one.output_tokens), align: "right" },
        {
          title: "COST",
          cell: costWords,
          align: "right",
          tone: (one) => (one.unpriced_tokens > 0 ? "warn" : undefined),
        },
      ],
    ),
    ...notes(output).flatMap((note) => ["", wrap(note, terminal.width, 0)]),
  ].join("\n");
}

/** What is not known is never zero: it has no price, or is the least that it was. */
function costWords(one: Row & { isLeast?: boolean }): string {
  const { cost_micros: micros, unpriced_tokens: unknown, isLeast = false } = one;
  if (micros === undefined) return "no price";
  const cost = micros / 1e6;
  const digits = cost === 0 || cost >= 1 ? 2 : 4;
  const text = cost.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unknown > 0 || isLeast ? `≥ ${text}` : text;
}

function notes({ total, unpriced_models: models, unpriced_speech: speech }: Output): string[] {
  return [
    ...(models.length === 0
      ? []
      : [
          `${models.join(", ")} had no price for ${figure(total.unpriced_tokens)} tokens. Set it in SVC_MODEL_PRICES for the live and pipeline processes, ${models[0]}=0/0 if it costs nothing; sessions so far keep what they have.`,
        ]),
    ...(speech === 0
      ? []
      : [
          `Speech had no price in ${figure(speech)} ${speech === 1 ? "conversation" : "conversations"} by voice. Set SVC_STT_PRICE and SVC_TTS_PRICE.`,
        ]),
    "In the currency of your prices, as they were when the models were used. Test sessions are included; erased ones are not.",
  ];
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

export const costsCommands: Command[] = [costs];
