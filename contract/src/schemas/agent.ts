import * as z from "zod";
import type * as types from "../types/index.ts";
import {
  actionName,
  agentTool,
  color,
  filePath,
  httpsLink,
  key,
  languageCode,
  linkOrEmail,
  list,
  mapOf,
  oneLine,
  origin,
  pagePath,
  prose,
  selector,
} from "./agent-values.ts";
import { schemaOf } from "./schema-of.ts";

export { isLanguageCode } from "./agent-values.ts";

/** The values of fields that an agent file leaves out. */
export const AGENT_DEFAULTS: {
  modes: types.AgentMode[];
  transport: types.AgentTransport;
  languages: Record<string, null>;
  avatar: types.AgentAvatar;
  theme: types.AgentTheme;
  follow_up: boolean;
  place: { confirm: boolean };
  action: { confirm: boolean; per_minute: number };
  limits: { max_minutes: number };
} = {
  modes: ["voice", "text"],
  transport: "livekit",
  languages: { en: null },
  avatar: "linden",
  theme: "auto",
  follow_up: true,
  place: { confirm: true },
  action: { confirm: true, per_minute: 6 },
  limits: { max_minutes: 20 },
};

export const AgentColors: z.ZodType<types.AgentColors> = schemaOf<types.AgentColors>()(
  z.strictObject({ primary: color.exactOptional(), text: color.exactOptional() }),
);

export const AgentCta: z.ZodType<types.AgentCta> = schemaOf<types.AgentCta>()(
  z.strictObject({ text: oneLine(40), link: httpsLink }),
);

export const AgentBrand: z.ZodType<types.AgentBrand> = schemaOf<types.AgentBrand>()(
  z.strictObject({
    name: oneLine(80).exactOptional(),
    logo: filePath("content/logo.svg").exactOptional(),
    link: httpsLink.exactOptional(),
    privacy: httpsLink.exactOptional(),
    cta: AgentCta.exactOptional(),
    colors: AgentColors.exactOptional(),
  }),
);

export const AgentLanguage: z.ZodType<types.AgentLanguage> = schemaOf<types.AgentLanguage>()(
  z.strictObject({
    voice: oneLine(100).exactOptional(),
    greeting: prose(500).exactOptional(),
    notice: prose(2000).exactOptional(),
  }),
);

export const AgentContentTranslation: z.ZodType<types.AgentContentTranslation> =
  schemaOf<types.AgentContentTranslation>()(
    z.strictObject({
      title: oneLine(120).exactOptional(),
      file: filePath("content/tour.it.png").exactOptional(),
      link: httpsLink.exactOptional(),
    }),
  );

export const AgentContent: z.ZodType<types.AgentContent> = schemaOf<types.AgentContent>()(
  z
    .strictObject({
      id: key,
      title: oneLine(120),
      kind: z.enum(["image", "markdown", "video", "code", "table", "tour"]),
      file: filePath("content/tour.png").exactOptional(),
      link: httpsLink.exactOptional(),
      show_when: prose(500).exactOptional(),
      languages: mapOf(languageCode, AgentContentTranslation, [0, 50]).exactOptional(),
    })
    .superRefine(
      ({ kind, file, link, languages }, context) => {
        const complain = (field: string | string[], message: string): void =>
          context.addIssue({ code: "custom", path: [field].flat(), message });
        for (const [code, one] of Object.entries(languages ?? {})) {
          const other = link === undefined ? "link" : "file";
          if (kind === "tour" && one?.file !== undefined)
            complain(
              ["languages", code, "file"],
              "A tour has the texts of all languages in its own file. Write them there.",
            );
          else if (one?.[other] !== undefined)
            complain(
              ["languages", code, other],
              `The slide itself has no ${other}. Write the same kind here as there.`,
            );
        }
        if (link !== undefined && file !== undefined)
          complain("link", "There is a file already. Keep one of the two.");
        else if (link !== undefined && kind !== "image" && kind !== "video")
          complain("link", "Only an image or a video can be a link. Name a file instead.");
        else if (link === undefined && file === undefined)
          complain("file", "This is missing. Name the file to show.");
      },
      { when: isObject },
    )
    .meta({ oneOf: [{ required: ["file"] }, { required: ["link"] }] }),
);

export const AgentPlaceTranslation: z.ZodType<types.AgentPlaceTranslation> =
  schemaOf<types.AgentPlaceTranslation>()(
    z.strictObject({ path: pagePath.exactOptional(), caption: oneLine(80).exactOptional() }),
  );

export const AgentPlace: z.ZodType<types.AgentPlace> = schemaOf<types.AgentPlace>()(
  z.strictObject({
    path: pagePath.exactOptional(),
    selector,
    caption: oneLine(80).exactOptional(),
    show_when: prose(500).exactOptional(),
    confirm: z.boolean().meta({ default: AGENT_DEFAULTS.place.confirm }).exactOptional(),
    languages: mapOf(languageCode, AgentPlaceTranslation, [0, 50]).exactOptional(),
  }),
);

export const AgentActionParam: z.ZodType<types.AgentActionParam> =
  schemaOf<types.AgentActionParam>()(
    z
      .strictObject({
        type: z.enum(["string", "number", "integer", "boolean"]),
        describe: prose(300).exactOptional(),
        enum: list(oneLine(100), [1, 50]).exactOptional(),
        minimum: z.number().exactOptional(),
        maximum: z.number().exactOptional(),
        optional: z.boolean().meta({ default: false }).exactOptional(),
      })
      .superRefine(
        ({ type, ...rest }, context) => {
          const complain = (field: string, message: string): void =>
            context.addIssue({ code: "custom", path: [field], message });
          const isNumber = type === "number" || type === "integer";
          if (rest.enum !== undefined && (isNumber || type === "boolean"))
            complain("enum", "Only a text has one. Write `type: string`, or remove it.");
          for (const field of ["minimum", "maximum"] as const)
            if (rest[field] !== undefined && (type === "string" || type === "boolean"))
              complain(field, "Only a number has one. Write `type: number`, or remove it.");
        },
        { when: isObject },
      ),
  );

export const AgentActionTranslation: z.ZodType<types.AgentActionTranslation> =
  schemaOf<types.AgentActionTranslation>()(z.strictObject({ title: oneLine(80).exactOptional() }));

export const AgentAction: z.ZodType<types.AgentAction> = schemaOf<types.AgentAction>()(
  z.strictObject({
    describe: prose(500),
    title: oneLine(80).exactOptional(),
    do_when: prose(500).exactOptional(),
    params: mapOf(key, AgentActionParam, [0, 8]).exactOptional(),
    confirm: z.boolean().meta({ default: AGENT_DEFAULTS.action.confirm }).exactOptional(),
    per_minute: z
      .int()
      .min(1)
      .max(60)
      .meta({ default: AGENT_DEFAULTS.action.per_minute })
      .exactOptional(),
    languages: mapOf(languageCode, AgentActionTranslation, [0, 50]).exactOptional(),
  }),
);

/** A value that is no list is validated as a text, so that its error message explains texts. */
const criteria = z.union([prose(2000), list(prose(500), [1, 10])]);

export const AgentQualification: z.ZodType<types.AgentQualification> =
  schemaOf<types.AgentQualification>()(
    z.strictObject({ qualified: criteria, disqualified: criteria.exactOptional() }),
  );

export const AgentLimits: z.ZodType<types.AgentLimits> = schemaOf<types.AgentLimits>()(
  z.strictObject({
    max_minutes: z
      .int()
      .min(1)
      .max(30)
      .meta({ default: AGENT_DEFAULTS.limits.max_minutes })
      .exactOptional(),
    at_once: z.int().min(1).max(1_000_000).exactOptional(),
    daily_starts: z.int().min(1).max(1_000_000_000).exactOptional(),
    daily_cost: z.number().min(0.01).max(1_000_000).exactOptional(),
  }),
);

const mode = z.enum(["voice", "text"]);

export const AgentAvatar: z.ZodType<types.AgentAvatar> = schemaOf<types.AgentAvatar>()(
  z.enum(["ash", "birch", "cedar", "hazel", "linden", "rowan", "orb"]),
);

export const AgentPoster: z.ZodType<types.AgentPoster> = schemaOf<types.AgentPoster>()(
  z.strictObject({
    poster: filePath("content/face.png"),
    loop: filePath("content/face.mp4").exactOptional(),
  }),
);

export const AgentFile: z.ZodType<types.AgentFile> = schemaOf<types.AgentFile>()(
  z
    .strictObject({
      name: oneLine(80),
      brand: AgentBrand.exactOptional(),
      modes: list(mode, [1, 2]).meta({ default: AGENT_DEFAULTS.modes }).exactOptional(),
      transport: z
        .enum(["livekit", "ws"])
        .meta({ default: AGENT_DEFAULTS.transport })
        .exactOptional(),
      languages: mapOf(languageCode, AgentLanguage.nullable(), [1, 50])
        .meta({ default: AGENT_DEFAULTS.languages })
        .exactOptional(),
      default_language: languageCode.exactOptional(),
      record_language: languageCode.exactOptional(),
      persona: prose(4000).exactOptional(),
      instructions: prose(20_000).exactOptional(),
      knowledge: list(filePath("knowledge/pricing.md"), [0, 200]).exactOptional(),
      content: z.array(AgentContent).max(100).exactOptional(),
      places: mapOf(key, AgentPlace, [0, 100]).exactOptional(),
      actions: mapOf(actionName, AgentAction, [0, 50]).exactOptional(),
      questions: mapOf(key, prose(500), [0, 30]).exactOptional(),
      insights: mapOf(key, prose(500), [0, 30]).exactOptional(),
      qualification: AgentQualification.exactOptional(),
      tools: list(agentTool, [0, 5]).exactOptional(),
      limits: AgentLimits.exactOptional(),
      allowed_origins: list(origin, [0, 100]).exactOptional(),
      test_origins: list(origin, [0, 100]).exactOptional(),
      // A value that is not a map is validated as a name, so that its error message explains names.
      avatar: z
        .union([AgentPoster, AgentAvatar])
        .meta({ default: AGENT_DEFAULTS.avatar })
        .exactOptional(),
      theme: z
        .enum(["light", "dark", "auto"])
        .meta({ default: AGENT_DEFAULTS.theme })
        .exactOptional(),
      person: linkOrEmail.exactOptional(),
      follow_up: z.boolean().meta({ default: AGENT_DEFAULTS.follow_up }).exactOptional(),
    })
    .superRefine(checkAcrossFields, { when: isObject }),
);

/**
 * Checks rules that span several fields. It also runs on invalid values, so that all mistakes are
 * reported at once; values of the wrong type are skipped, because their own field reports them.
 */
function checkAcrossFields(file: types.AgentFile, context: z.RefinementCtx): void {
  const complain = (field: PropertyKey[], message: string): void =>
    context.addIssue({ code: "custom", path: field, message });
  const { languages = AGENT_DEFAULTS.languages, content = [], places = {}, tools = [] } = file;
  if (isObject({ value: languages }) && typeof file.default_language === "string") {
    const codes = Object.keys(languages);
    if (!codes.includes(file.default_language))
      complain(["default_language"], `This is not in languages. Write one of ${codes.join(", ")}.`);
  }
  if (Array.isArray(content)) {
    const ids = content.map((one: Partial<types.AgentContent> | null) => one?.id);
    for (const [index, id] of ids.entries()) {
      if (id !== undefined && ids.indexOf(id) < index)
        complain(["content", index, "id"], "Another content has this id. Choose a new one.");
      else if (id !== undefined && isObject({ value: places }) && id in places)
        complain(["places", id], "A content has this id already. Choose another name.");
    }
  }
  if (!Array.isArray(tools)) return;
  const person = tools.indexOf("talk_to_a_person");
  if (person >= 0 && file.person === undefined)
    complain(["tools", person], "This needs `person`. Say there where it leads.");
  const show = tools.indexOf("show_content");
  const isEmpty = Array.isArray(content) && content.length + Object.keys(places).length === 0;
  if (show >= 0 && isEmpty)
    complain(["tools", show], "This needs `content` or `places`. List there what it can show.");
}

function isObject({ value }: { value: unknown }): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
