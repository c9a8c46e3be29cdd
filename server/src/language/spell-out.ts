import { createRequire } from "node:module";

/** Writes a whole number in words. */
export type SpellOut = (value: number) => string;

/** How a language spells numbers out: by gender, case and use. */
export interface SpellOuts {
  cardinals: SpellOut[];
  ordinals: SpellOut[];
  /** The word for the decimal sign: "point", "Komma". */
  point: string | undefined;
}

/**
 * The spell-out rules of the Unicode CLDR for one language, interpreted. Undefined where it has none.
 * See https://unicode.org/reports/tr35/tr35-numbers.html#Rule-Based_Number_Formatting
 */
export function spellOutsOf(language: string): SpellOuts | undefined {
  const read = rulesOf(language);
  if (read === undefined) return undefined;
  const all: Rules = { sets: read, plurals: new Intl.PluralRules(language), kept: new Map() };
  const names = [...read.keys()].filter((name) => /^%spellout-(?!.*year)/.test(name));
  const using = (kind: RegExp): SpellOut[] =>
    names.filter((name) => kind.test(name)).map((name) => (value) => format(all, name, value));
  const fractions = [...read.values()].map(({ fraction = "" }) => POINT.exec(fraction)?.[1]);
  return {
    cardinals: using(/^%spellout-(?:cardinal|numbering)/),
    ordinals: using(/^%spellout-ordinal/),
    point: fractions.find((word) => word !== undefined),
  };
}

const POINT = /←\s*([^\s[\]←→=]+)\s*→/;

interface Rule {
  base: number;
  divisor: number;
  text: string;
}

type RuleSets = Map<string, { rules: Rule[]; fraction: string | undefined }>;

const require = createRequire(import.meta.url);

function rulesOf(language: string): RuleSets | undefined {
  const { language: root, baseName } = new Intl.Locale(language);
  // What a region says differently stands in a file of its own: "septante" in fr-CH.
  const sets: RuleSets = new Map(baseName === root ? [] : rulesOf(root));
  let data: unknown;
  try {
    data = require(`cldr-rbnf/rbnf/${baseName === "nb" ? "no" : baseName}.json`);
  } catch {
    return sets.size === 0 ? undefined : sets;
  }
  const { rbnf } = data as { rbnf: { rbnf: { SpelloutRules?: Record<string, unknown> } } };
  for (const [name, entries] of Object.entries(rbnf.rbnf.SpelloutRules ?? {}))
    if (Array.isArray(entries)) {
      const pairs = entries as [string, string][];
      const rules = pairs
        .filter(([base]) => /^\d+[/>]?/.test(base) && !base.includes("x"))
        .map(ruleOf);
      sets.set(name, { rules, fraction: pairs.find(([base]) => base === "x.x")?.[1] });
    }
  return sets.size === 0 ? undefined : sets;
}

/** "1100/100" begins at 1100 and counts in hundreds. */
function ruleOf([description, text]: [string, string]): Rule {
  const [base = 0, radix = 10] = description.replaceAll(/[,>]/g, "").split("/").map(Number);
  const exponent = Math.floor(Math.log(Math.max(base, 1)) / Math.log(radix) + 1e-9);
  const less = description.split(">").length - 1;
  return { base, divisor: radix ** Math.max(0, exponent - less), text: text.replace(/;$/, "") };
}

interface Rules {
  sets: RuleSets;
  plurals: Intl.PluralRules;
  /** The parts that other numbers share. */
  kept: Map<string, string>;
}

function format(all: Rules, name: string, value: number, depth = 0): string {
  const key = `${name} ${value}`;
  const words = all.kept.get(key) ?? formatNew(all, name, value, depth);
  if (value <= 1_000) all.kept.set(key, words);
  return words;
}

function formatNew(all: Rules, name: string, value: number, depth: number): string {
  const rules = all.sets.get(name)?.rules ?? [];
  let at = rules.findLastIndex(({ base }) => base <= value);
  const found = rules[at];
  if (found === undefined || depth > DEEPEST) return String(value);
  const isBetween = found.base % found.divisor !== 0 && value % found.divisor === 0;
  if (isBetween && found.text.includes("→") && found.text.includes("←")) at -= 1;
  const { divisor, text } = rules[at] ?? found;
  if (!/[←→=[$']/.test(text)) return text;
  const [quotient, rest] = [Math.floor(value / divisor), value % divisor];
  const spelled = (target: string, part: number): string =>
    /^[#0]/.test(target)
      ? String(part)
      : format(all, target === "" ? name : target, part, depth + 1);
  return text
    .replace(/^'/, "")
    .replaceAll(/\[([^\]|]*)\|?([^\]]*)\]/g, rest === 0 ? "$2" : "$1")
    .replaceAll(/\$\(cardinal,(.*?)\)\$/g, (_, forms: string) => {
      const named = new Map(
        [...forms.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, one, form]) => [one, form]),
      );
      return named.get(all.plurals.select(quotient)) ?? named.get("other") ?? "";
    })
    .replaceAll(/←([^←]*)←/g, (_, target: string) => spelled(target, quotient))
    .replaceAll(/→→→|→([^→]*)→/g, (_, target: string | undefined) => spelled(target ?? "", rest))
    .replaceAll(/=([^=]*)=/g, (_, target: string) => spelled(target, value));
}

/** A rule that leads to itself would never end. */
const DEEPEST = 20;
