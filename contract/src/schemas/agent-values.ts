import * as z from "zod";
import type { AgentTool } from "../types/index.ts";

/** Some text: blanks alone are none. */
export function prose(max: number): z.ZodString {
  return z.string().regex(/\S/, "There is no text here. Write some, or remove the line.").max(max);
}

export function oneLine(max: number): z.ZodString {
  return z
    .string()
    .regex(/^[^\n\r]*\S[^\n\r]*$/, "This must be one line of text. Shorten it to one.")
    .max(max);
}

/** The name of a question, an insight or a slide: what data engineers put into column names. */
export const key: z.ZodString = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    "This name does not fit. Use small letters, digits and _, a letter first, at most 40.",
  )
  .meta({ examples: ["team_size"] });

/** What a page registers a function by. */
export const actionName: z.ZodString = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    "This name does not fit. Use small letters, digits, - and _, a letter first, at most 40.",
  )
  .meta({ examples: ["open-report"] });

/** BCP 47 in its canonical form, so that a code is written in one way only. */
export const languageCode: z.ZodString = z
  .string()
  .refine(isLanguageCode, {
    error: ({ input }) =>
      `This is no language code. Write ${canonicalLanguage(String(input)) ?? "one such as en or pt-BR"}.`,
  })
  .meta({
    pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
    maxLength: 35,
    examples: ["en", "pt-BR"],
  });

/** Whether a text is a language code, in the one way of writing it. */
export function isLanguageCode(text: string): boolean {
  return canonicalLanguage(text) === text;
}

/** `en-uk` → `en-GB`; undefined when it is no code. Words such as `english` are well-formed, but no language has one. */
function canonicalLanguage(code: string): string | undefined {
  if (code.length > 35 || !/^[A-Za-z]{2,3}(?:-|$)/.test(code)) return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}

export const agentTool: z.ZodType<AgentTool> = z.enum([
  "show_content",
  "ask_email",
  "search_knowledge",
  "talk_to_a_person",
  "end_session",
]);

export const color: z.ZodString = z
  .string()
  .regex(/^#(?:[0-9A-Fa-f]{3}){1,2}$/, 'This is no colour. Write it as "#0f766e", in quotes.')
  .meta({ examples: ["#0f766e"] });

const HTTPS_LINK = String.raw`https:\/\/[^\s\/?#@]+(?:[\/?#]\S*)?`;

export const httpsLink: z.ZodString = z
  .string()
  .regex(
    new RegExp(`^${HTTPS_LINK}$`),
    "This is no https address. Write it whole, from https:// on.",
  )
  .max(2000);

export const linkOrEmail: z.ZodString = z
  .string()
  .regex(
    new RegExp(String.raw`^(?:${HTTPS_LINK}|[^\s@:]+@[^\s@:]+\.[^\s@:.]+)$`),
    "This leads nowhere. Write an https:// link or an email address.",
  )
  .max(2000)
  .meta({ examples: ["https://www.example.com/contact", "sales@example.com"] });

export const origin: z.ZodString = z
  .string()
  .regex(
    /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@*]+\/?$/,
    "This is no origin. Write scheme, host and port, such as https://www.example.com, without path or *.",
  )
  .max(300)
  .meta({ examples: ["https://www.example.com"] });

/** Inside the agent's folder: no root, no drive, no way up. */
export function filePath(example: string): z.ZodString {
  return z
    .string()
    .regex(
      /^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\:\n\r]+$/,
      `This is no path inside the agent's folder. Write one such as ${example}.`,
    )
    .max(200)
    .meta({ examples: [example] });
}

/** A page of the site that the visitor is on, or a whole address. `//host` and `/\\host` would be another site. */
export const pagePath: z.ZodString = z
  .string()
  .regex(
    new RegExp(String.raw`^(?:\/(?![\/\\])\S*|${HTTPS_LINK})$`),
    "This is no page. Write a path such as /pricing, or a whole https:// address.",
  )
  .max(2000)
  .meta({ examples: ["/pricing"] });

/** One CSS selector for each shadow root on the way, and one for the element. Only a browser can tell whether it is valid. */
export const selector: z.ZodString = z
  .string()
  .regex(
    /^(?!.*>>>\s*(?:>>>|$))(?!\s*>>>)[^{};\n\r]*[^\s{};\n\r][^{};\n\r]*$/,
    "This is no selector. Write one such as #plans, or shop-plans >>> #team for a shadow root.",
  )
  .max(500)
  .meta({ examples: ["#plans", "shop-plans >>> #team"] });

/** Distinct items. */
export function list<T extends string>(
  item: z.ZodType<T>,
  [min, max]: [min: number, max: number],
): z.ZodType<T[]> {
  const items = z.array(item).max(max);
  return (min > 0 ? items.min(min) : items)
    .superRefine(
      (given, context) => {
        for (const [index, one] of given.entries()) {
          if (given.indexOf(one) === index) continue;
          context.addIssue({
            code: "custom",
            path: [index],
            message: "This is listed twice. Remove one.",
          });
        }
      },
      { when: ({ value }) => Array.isArray(value) },
    )
    .meta({ uniqueItems: true });
}

/**
 * Values under keys that follow a rule. Given the rule itself, `z.record` would not check the
 * value of an invalid key, and a mistake in it would stay hidden until the key is fixed.
 */
export function mapOf<V>(
  name: z.ZodString,
  value: z.ZodType<V>,
  [min, max]: [min: number, max: number],
): z.ZodType<Record<string, V>> {
  return z
    .record(z.string(), value)
    .superRefine(
      (map, context) => {
        const names = Object.keys(map);
        for (const one of names) {
          const [issue] = name.safeParse(one).error?.issues ?? [];
          if (issue !== undefined)
            context.addIssue({ code: "custom", path: [one], message: issue.message });
        }
        const fits = names.length >= min && names.length <= max;
        if (!fits) context.addIssue(`There are ${names.length} here. Write ${min} to ${max}.`);
      },
      { when: ({ value: map }) => typeof map === "object" && map !== null && !Array.isArray(map) },
    )
    .meta({
      propertyNames: { pattern: z.toJSONSchema(name).pattern },
      ...(min > 0 && { minProperties: min }),
      maxProperties: max,
    });
}
