import { SCORED_FIELDS } from "#evaluation";
import type { ScoredField } from "#evaluation";
import * as z from "zod";
import { facts, heading, table, tone } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** How far a model agrees with what is known, as programs read it. */
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
