import { SCORED_FIELDS } from "#evaluation";
import type { KeyChange, ScoredField, TriedSession } from "#evaluation";
import type { QualificationStatus } from "@svc/contract/types";
import * as z from "zod";
import { facts, heading, table, tone } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

/** The changes that a new rubric would make, as `--json` prints them. */
export interface TryOutput {
  slug: string;
  agent_id: string;
  model: string;
  judged: number;
  failed: number;
  changed: number;
  qualification: (Move & { sessions: number })[];
  answered: KeyCount[];
  insights: KeyCount[];
  sessions: ChangedSession[];
}

interface ChangedSession {
  id: string;
  started_at: string;
  qualification?: Move;
  answered?: KeyChange;
  insights?: KeyChange;
  failure?: string;
}

interface Move {
  from: QualificationStatus;
  to: QualificationStatus;
}

interface KeyCount {
  key: string;
  gained: number;
  lost: number;
}

const STATUS = z.enum(["qualified", "disqualified", "not_enough_data"]);
const move = { from: STATUS, to: STATUS };
const Keys = z.strictObject({ gained: z.array(z.string()), lost: z.array(z.string()) });
const KeyCounts = z.array(z.strictObject({ key: z.string(), gained: z.int(), lost: z.int() }));

export const TryOutput: z.ZodType<TryOutput> = z.strictObject({
  slug: z.string(),
  agent_id: z.string(),
  model: z.string(),
  judged: z.int(),
  failed: z.int().describe("Got no evaluation from the model"),
  changed: z.int(),
  qualification: z.array(z.strictObject({ ...move, sessions: z.int() })),
  answered: KeyCounts.describe("How many sessions would answer a question newly, and no more"),
  insights: KeyCounts,
  sessions: z
    .array(
      z.strictObject({
        id: z.uuid(),
        started_at: z.iso.datetime(),
        qualification: z.strictObject(move).exactOptional(),
        answered: Keys.exactOptional(),
        insights: Keys.exactOptional(),
        failure: z.string().exactOptional(),
      }),
    )
    .describe("Those that would change or could not be judged, the newest first"),
});

/** Sums up the sessions, and picks those that are worth a look. */
export function sumUp(tried: TriedSession[]): Omit<TryOutput, "slug" | "agent_id" | "model"> {
  const changes = tried.flatMap(({ change }) => change ?? []);
  const moves = changes
    .map(({ qualification }) => qualification)
    .filter(({ from, to }) => from !== to);
  const alike = Map.groupBy(moves, ({ from, to }) => `${from} ${to}`);
  const sessions = tried.map(toSession).filter((session) => describeChange(session) !== "");
  const failed = tried.length - changes.length;
  return {
    judged: changes.length,
    failed,
    changed: sessions.length - failed,
    qualification: [...alike.values()].map((same) => ({ ...same[0]!, sessions: same.length })),
    answered: countKeys(changes.map(({ answered }) => answered)),
    insights: countKeys(changes.map(({ insights }) => insights)),
    sessions,
  };
}

function toSession({ id, startedAt, change, failure }: TriedSession): ChangedSession {
  const { qualification, answered, insights } = change ?? {};
  return {
    id,
    started_at: startedAt.toISOString(),
    ...(qualification && qualification.from !== qualification.to && { qualification }),
    ...(answered && isChange(answered) && { answered }),
    ...(insights && isChange(insights) && { insights }),
    ...(failure && { failure }),
  };
}

function isChange({ gained, lost }: KeyChange): boolean {
  return gained.length + lost.length > 0;
}

function countKeys(changes: KeyChange[]): KeyCount[] {
  const keys = new Set(changes.flatMap(({ gained, lost }) => [...gained, ...lost]));
  return [...keys].map((key) => ({
    key,
    gained: changes.filter(({ gained }) => gained.includes(key)).length,
    lost: changes.filter(({ lost }) => lost.includes(key)).length,
  }));
}

export function tryPage(output: TryOutput, terminal: Terminal): string {
  const { slug, model, judged, failed, changed, qualification, sessions } = output;
  if (judged + failed === 0) return `${slug} has no evaluated session yet.`;
  const many = judged === 1 ? "1 session" : `${judged} sessions`;
  const missing = failed === 0 ? "" : ` ${failed} could not be judged.`;
  const paragraphs = [
    `${model} judged ${many} of ${slug} again: ${changed} would change.${missing} Nothing was written.`,
  ];
  if (qualification.length > 0) {
    paragraphs.push(
      table(terminal, qualification, [
        { title: "QUALIFICATION", cell: ({ from, to }) => `${from} → ${to}` },
        { title: "SESSIONS", cell: (one) => String(one.sessions), align: "right" },
      ]),
    );
  }
  for (const field of ["answered", "insights"] as const) {
    if (output[field].length === 0) continue;
    paragraphs.push(
      table(terminal, output[field], [
        { title: field.toUpperCase(), cell: ({ key }) => key },
        { title: "MORE", cell: ({ gained }) => String(gained), align: "right" },
        { title: "LESS", cell: ({ lost }) => String(lost), align: "right" },
      ]),
    );
  }
  if (sessions.length > 0) {
    paragraphs.push(
      table(terminal, sessions, [
        { title: "SESSION", cell: ({ id }) => id },
        { title: "STARTED", cell: (one) => ago(terminal, one.started_at), optional: true },
        { title: "WOULD CHANGE", cell: describeChange, flexible: true },
      ]),
    );
  }
  return paragraphs.join("\n\n");
}

function describeChange({ qualification, answered, insights, failure }: ChangedSession): string {
  const keys = ({ gained, lost }: KeyChange): string =>
    [...gained.map((key) => `+${key}`), ...lost.map((key) => `-${key}`)].join(" ");
  return [
    ...(qualification === undefined ? [] : [`${qualification.from} → ${qualification.to}`]),
    ...(answered === undefined ? [] : [`answered ${keys(answered)}`]),
    ...(insights === undefined ? [] : [`insights ${keys(insights)}`]),
    ...(failure === undefined ? [] : [`not judged: ${failure}`]),
  ].join(", ");
}

/** The agreement of a model with known results, as `--json` prints it. */
export interface ScoreOutput {
  model: string;
  fixtures: number;
  agreed: number;
  compared: number;
  fields: { field: ScoredField; agreed: number; compared: number }[];
  disagreements: {
    fixture: string;
    field: ScoredField;
    which?: string;
    expected: string;
    got: string;
  }[];
  unjudged: { fixture: string; failure: string }[];
}

const field = z.enum(SCORED_FIELDS);

export const ScoreOutput: z.ZodType<ScoreOutput> = z.strictObject({
  model: z.string(),
  fixtures: z.int(),
  agreed: z.int(),
  compared: z.int(),
  fields: z.array(z.strictObject({ field, agreed: z.int(), compared: z.int() })),
  disagreements: z.array(
    z.strictObject({
      fixture: z.string(),
      field,
      which: z.string().exactOptional().describe("Which one, where a field has several"),
      expected: z.string(),
      got: z.string(),
    }),
  ),
  unjudged: z
    .array(z.strictObject({ fixture: z.string(), failure: z.string() }))
    .describe("They got no evaluation and count in no field"),
});

/** Agreement field by field, then each disagreement. */
export function scorePage(score: ScoreOutput, terminal: Terminal): string {
  const { model, fixtures, agreed, compared, disagreements, unjudged } = score;
  const all = tone(terminal, agreed === compared ? "good" : "bad", share(score));
  return [
    `${all} of what ${model} says about ${fixtures} known conversations is right.`,
    table(
      terminal,
      [...score.fields, { field: "all", agreed, compared }],
      [
        { title: "FIELD", cell: (one) => one.field },
        { title: "AGREE", cell: (one) => `${one.agreed} of ${one.compared}`, align: "right" },
        {
          title: "SHARE",
          cell: (one) => share(one),
          align: "right",
          tone: (one) => (one.agreed === one.compared ? undefined : "bad"),
        },
      ],
    ),
    ...disagreements.map(({ fixture, which, expected, got, ...one }) =>
      [
        heading(terminal, `${fixture}: ${one.field}${which === undefined ? "" : ` (${which})`}`),
        facts(terminal, [
          ["expected", expected],
          ["got", got],
        ]),
      ].join("\n"),
    ),
    ...unjudged.map(
      ({ fixture, failure }) =>
        `${tone(terminal, "bad", "No evaluation")} of ${fixture}: ${failure}`,
    ),
  ].join("\n\n");
}

/** Rounded down: only what agrees in everything shows 100 %. */
function share({ agreed, compared }: { agreed: number; compared: number }): string {
  return compared === 0 ? "0 %" : `${Math.floor((1_000 * agreed) / compared) / 10} %`;
}
