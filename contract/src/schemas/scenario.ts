import * as z from "zod";
import type * as types from "../types/index.ts";
import { agentTool, key, languageCode, list, mapOf, oneLine, prose } from "./agent-values.ts";
import { schemaOf } from "./schema-of.ts";

/** The values of fields that a scenario leaves out. */
export const SCENARIO_DEFAULTS: { most_turns: number; most_words_per_turn: number } = {
  most_turns: 10,
  most_words_per_turn: 90,
};

const emailAddress = z
  .string()
  .regex(/^[^\s@:]+@[^\s@:]+\.[^\s@:.]+$/, "This is no email address. Write ada@example.com.")
  .max(254)
  .meta({ examples: ["ada@example.com"] });

export const ScenarioAct: z.ZodType<types.ScenarioAct> = schemaOf<types.ScenarioAct>()(
  z
    .strictObject({
      confirms_email: emailAddress.exactOptional(),
      dismisses_card: z.literal(true).exactOptional(),
      quick_reply: oneLine(200).exactOptional(),
    })
    .refine((act) => Object.keys(act).length === 1, {
      error: "One line does one thing. Keep one key in it.",
      // A key that is not known has had its complaint.
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1, maxProperties: 1 }),
);

export const ScenarioPersona: z.ZodType<types.ScenarioPersona> = schemaOf<types.ScenarioPersona>()(
  z.strictObject({
    wants: prose(2000),
    knows: prose(2000).exactOptional(),
    style: prose(500).exactOptional(),
    most_turns: z
      .int()
      .min(1)
      .max(50)
      .meta({ default: SCENARIO_DEFAULTS.most_turns })
      .exactOptional(),
  }),
);

export const ScenarioVisitor: z.ZodType<types.ScenarioVisitor> = schemaOf<types.ScenarioVisitor>()(
  z
    .strictObject({
      says: z
        .array(z.union([prose(4000), ScenarioAct]))
        .max(50)
        .exactOptional(),
      persona: ScenarioPersona.exactOptional(),
    })
    .superRefine(
      ({ says, persona }, context) => {
        if ((says === undefined) === (persona === undefined))
          context.addIssue(
            "A visitor is a script or a persona. Write either `says` or `persona` below it.",
          );
      },
      { when: isObject },
    )
    .meta({ oneOf: [{ required: ["says"] }, { required: ["persona"] }] }),
);

/** Words, or a pattern between slashes. */
const spoken = prose(500)
  .superRefine((text, context) => {
    const problem = patternProblem(text);
    if (problem !== undefined)
      context.addIssue(`This pattern cannot be read: ${problem}. Fix it, or remove the slashes.`);
  })
  .meta({ examples: ["one snippet", "/365 (days|Tage)/"] });

function patternProblem(text: string): string | undefined {
  try {
    spokenPattern(text);
    return undefined;
  } catch (error) {
    return String(error).replace(/^.*: /, "");
  }
}

/** The pattern between slashes; undefined for words. Throws when it is none. */
export function spokenPattern(text: string): RegExp | undefined {
  const inside = /^\/(?<pattern>.+)\/$/s.exec(text)?.groups?.["pattern"];
  return inside === undefined ? undefined : new RegExp(inside, "iu");
}

const shownName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}(?:\/[1-9]\d?)?$/,
    "This names no content. Write its id, or a step of a tour such as booking/2.",
  )
  .meta({ examples: ["price_list", "booking/2"] });

export const ScenarioShows: z.ZodType<types.ScenarioShows> = schemaOf<types.ScenarioShows>()(
  z.strictObject({ content: shownName, while_saying: spoken }),
);

export const ScenarioExpectations: z.ZodType<types.ScenarioExpectations> =
  schemaOf<types.ScenarioExpectations>()(
    z.strictObject({
      tools: list(agentTool, [0, 5]).exactOptional(),
      must_say: list(spoken, [0, 50]).exactOptional(),
      must_not_say: list(spoken, [0, 50]).exactOptional(),
      questions_heard: list(key, [0, 30]).exactOptional(),
      questions_not_heard: list(key, [0, 30]).exactOptional(),
      content_shown: list(shownName, [0, 100]).exactOptional(),
      shows: z.array(ScenarioShows).max(50).exactOptional(),
      most_words_per_turn: z
        .int()
        .min(1)
        .max(500)
        .meta({ default: SCENARIO_DEFAULTS.most_words_per_turn })
        .exactOptional(),
      ends: z.enum(["agent", "visitor"]).exactOptional(),
      email: z
        .string()
        .refine((text) => text === "none" || emailAddress.safeParse(text).success, {
          error: "This is no email address. Write the whole address, or none.",
        })
        .meta({ examples: ["ada@example.com", "none"] })
        .exactOptional(),
    }),
  );

export const ScenarioFile: z.ZodType<types.ScenarioFile> = schemaOf<types.ScenarioFile>()(
  z.strictObject({
    name: oneLine(120),
    language: languageCode.exactOptional(),
    metadata: mapOf(oneLine(200), z.string().max(8192), [0, 64]).exactOptional(),
    visitor: ScenarioVisitor,
    expect: ScenarioExpectations.exactOptional(),
  }),
);

function isObject({ value }: { value: unknown }): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
