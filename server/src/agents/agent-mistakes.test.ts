import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AgentFileError, readAgent } from "#agents";
import type { Mistake } from "#agents";
import type { AgentFile } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

/**
 * A way to get an agent file wrong. Each is planted alone into a good file, and must be reported at
 * its own field and line.
 */
type PlantedMistake = Place & Way;

interface Place {
  name: string;
  /** What must be named. */
  field: string;
  /** Where it is planted, if not there. */
  at?: string;
  /** How many lines below that it stands. */
  below?: number;
  /** What it brings with it: these are named too. */
  also?: string[];
}

type Way =
  /** This stands where the field's value should be. */
  | { raw: string }
  /** The field's key is written like this. */
  | { key: string }
  /** The field is left out; the line of what it stands in is named. */
  | { leftOut: true }
  /** Its line is written like this. */
  | { line: (line: string) => string | string[] }
  /** This file holds something else, or is not there. */
  | { file: string; bytes: OtherBytes };

type OtherBytes = Buffer | undefined | "link out of the folder";

const wrongValues: [field: string, ...raws: string[]][] = [
  ["name", "42", "true", "~", '""', "[Ada]", `"${"x".repeat(81)}"`, '"two\\nlines"'],
  ["brand", "Acme", "[Acme]"],
  ["brand.name", "2024"],
  ["brand.logo", "/etc/passwd", "../logo.svg", "content/lgo.svg", "content/notes.txt", "content"],
  ["brand.link", "http://acme.example", "www.acme.example", "ftp://acme.example"],
  ["brand.cta", "Book a meeting", "[Book]"],
  ["brand.cta.text", "7", '""', `"${"x".repeat(41)}"`],
  ["brand.cta.link", "http://cal.com/acme", "cal.com/acme"],
  ["brand.colors", '"#ffffff"'],
  ["brand.colors.primary", "#fff", "red", '"#ff"', '"rgb(1, 2, 3)"'],
  ["theme", "black", "true", "[dark]"],
  ["modes", "voice", "[]"],
  ["modes[1]", "talk", "voice"],
  ["languages", "en", "[en, de]"],
  ["languages.de", "Deutsch"],
  ["languages.en.greeting", "12", '"   "', `"${"x".repeat(501)}"`],
  ["default_language", "it", "English"],
  ["record_language", "english", "en_US", "EN", "en-UK"],
  ["persona", "5", '""'],
  ["instructions", "[Ask]"],
  ["knowledge", "knowledge/prices.md"],
  ["knowledge[1]", "knowledge/none.md", "knowledge/prices.md", "../setup.md", "content/prices.csv"],
  ["content", "content/tour.png"],
  ["content[0]", "tour"],
  ["content[0].id", "Tour", "prices tour", "1st"],
  ["content[1].id", "tour"],
  ["content[0].kind", "picture", "imge"],
  ["content[0].file", "content/tour.jpg", "content/prices.csv"],
  ["content[2].link", "acme.example/film"],
  ["places.plans.path", "pricing", "//acme.example", "http://acme.example/x"],
  ["places.plans.selector", '""', '"#a {"', '"shop >>> "', '">>> #a"'],
  ["places.plans.caption", '"two\\nlines"', `"${"x".repeat(81)}"`],
  ["places.plans.confirm", "sometimes"],
  ["actions.report.describe", '""'],
  ["actions.report.confirm", "maybe"],
  ["actions.report.per_minute", "0", "61", "1.5"],
  ["actions.report.params.period.type", "date"],
  ["actions.report.params.period.enum", "[]"],
  ["questions", "[team_size]"],
  ["questions.team_size", "5", "~"],
  ["insights", "tool"],
  ["qualification", "They have a team."],
  ["tools", "show_content"],
  ["tools[0]", "fly", "showcontent"],
  ["limits.max_minutes", "31", "0", "1.5", '"15"', "a while"],
  ["limits.at_once", "-1", "none"],
  ["limits.daily_starts", "0.5"],
  ["limits.daily_cost", "0", "free"],
  ["allowed_origins", "https://acme.example"],
  [
    "allowed_origins[1]",
    "acme.example",
    "https://acme.example/shop",
    "https://*.acme.example",
    '"*"',
  ],
  ["allowed_origins[1]", "https://www.acme.example:443/", "~"],
  ["avatar", "dog", "5"],
  ["person", "nowhere", "http://acme.example", "javascript:alert(1)"],
  ["follow_up", "off", "1"],
];

const misspelledKeys: [field: string, ...slips: string[]][] = [
  ["brand", "brnad"],
  ["languages", "langauges"],
  ["record_language", "recordLanguage"],
  ["questions", "Questions"],
  ["persona", "personality"],
  ["limits", "limit"],
  ["limits.max_minutes", "max_mintues", "maxMinutes"],
  ["languages.en.greeting", "greting"],
  ["content[1].file", "path"],
  ["brand.colors", "colours"],
  ["languages.de", "german", "DE", "de_DE"],
  ["questions.team_size", "Team Size", "team-size", "2nd", "__proto__"],
  ["qualification.disqualified", "disqualifed"],
  ["person", "greeting"],
];

/** A renamed field is missing under its own name, which is reported too. */
const alsoMissing = new Map([
  ["path", ["content[1].file"]],
  ["greeting", ["tools[2]"]],
]);

const missingFields = [
  "name",
  "content[0].title",
  "content[1].kind",
  "content[1].file",
  "places.plans.selector",
  "actions.report.describe",
  "actions.report.params.period.type",
  "qualification.qualified",
];

const afterKey = (value: string) => (line: string) => line.replace(/:.*$/, `: ${value}`);

const wrongLines: [
  name: string,
  at: string,
  write: (line: string) => string | string[],
  below?: number,
][] = [
  ["a tab", "brand.name", (line) => line.replace(/^ +/, "\t")],
  ["a tab deep inside", "languages.en.notice", (line) => `\t${line.trim()}`],
  ["one space too few", "limits.at_once", (line) => line.replace(/^ /, "")],
  ["one space too many", "questions.timeline", (line) => ` ${line}`],
  ["two spaces too many", "brand.link", (line) => `  ${line}`],
  ["a colon in a text", "languages.en.voice", afterKey("the voice: alloy")],
  ["no space after the colon", "avatar", () => "avatar:rowan"],
  ["no colon", "insights", (line) => line.replace(":", "")],
  ["an open quote", "brand.name", afterKey('"Acme')],
  ["an open single quote", "person", afterKey("'sales@acme.example")],
  ["an apostrophe in quotes", "insights.tool", afterKey("'what's there'")],
  ["an open bracket", "person", afterKey("[sales@acme.example")],
  ["an open brace", "avatar", afterKey("{rowan: 1")],
  ["a reserved sign", "person", afterKey("@acme")],
  ["a percent sign", "avatar", afterKey("%rowan")],
  ["an alias", "languages.en.voice", afterKey("*bold")],
  ["a tag", "languages.en.voice", afterKey("!loud alloy")],
  ["an escape that is none", "brand.name", afterKey(String.raw`"Ac\me"`)],
  ["a control character", "brand.name", afterKey(String.raw`"Ac\u0007me"`)],
  ["half a character", "brand.name", afterKey(String.raw`"\uD83D"`)],
  ["the key a second time", "avatar", (line) => [line, "avatar: ash"], 1],
  ["the question a second time", "questions.timeline", (line) => [line, line], 1],
  ["a dash without a space", "record_language", afterKey("-de")],
];

const wrongFiles: [name: string, field: string, file: string, bytes: OtherBytes][] = [
  ["a picture that is not there", "content[0].file", "content/tour.png", undefined],
  ["a picture without a byte", "content[0].file", "content/tour.png", Buffer.alloc(0)],
  ["a picture that is text", "content[0].file", "content/tour.png", Buffer.from("hello")],
  ["a picture that runs", "brand.logo", "content/logo.svg", Buffer.from("<svg onload='x()'/>")],
  [
    "a text that is no UTF-8",
    "knowledge[0]",
    "knowledge/prices.md",
    Buffer.from([0xff, 0xfe, 0x00]),
  ],
  ["a text that is too large", "knowledge[1]", "knowledge/setup.md", Buffer.alloc(500_001, "x")],
  ["a table with a NUL", "content[1].file", "content/prices.csv", Buffer.from("a,b\n\0,1\n")],
  ["a link out of the folder", "knowledge[1]", "knowledge/setup.md", "link out of the folder"],
];

const plantedMistakes: PlantedMistake[] = [
  ...wrongValues.flatMap(([field, ...raws]) =>
    raws.map((raw) => ({ name: `${field}: ${raw.slice(0, 40)}`, field, raw })),
  ),
  ...misspelledKeys.flatMap(([at, ...slips]) =>
    slips.map((key) => ({
      name: `${key} for ${at}`,
      at,
      field: at.includes(".") ? at.replace(/[^.]*$/, key) : key,
      key,
      also: alsoMissing.get(key) ?? [],
    })),
  ),
  ...missingFields.map((field) => ({ name: `no ${field}`, field, leftOut: true as const })),
  ...wrongLines.map(([name, at, line, below = 0]) => ({
    name: `${name} at ${at}`,
    field: at,
    line,
    below,
  })),
  ...wrongFiles.map(([name, field, file, bytes]) => ({ name, field, file, bytes })),
];

/** An agent with every field, into which mistakes are planted one at a time. */
function goodAgent(): { file: AgentFile; files: Record<string, Buffer> } {
  const file: AgentFile = {
    name: "Ada",
    brand: {
      name: "Acme",
      logo: "content/logo.svg",
      link: "https://www.acme.example",
      cta: { text: "Book a meeting", link: "https://cal.com/acme" },
      colors: { primary: "#0f766e", text: "#ffffff" },
    },
    theme: "light",
    modes: ["voice", "text"],
    languages: {
      en: { voice: "alloy", greeting: "Hello, an AI speaks.", notice: "We keep the text." },
      de: { greeting: "Guten Tag, hier spricht eine KI." },
      "es-MX": null,
    },
    default_language: "en",
    record_language: "de",
    persona: "Calm and precise.\nShort sentences.",
    instructions: "Ask first.\nThen show.",
    knowledge: ["knowledge/prices.md", "knowledge/setup.md"],
    content: [
      {
        id: "tour",
        title: "A tour",
        kind: "image",
        file: "content/tour.png",
        show_when: "At first.",
      },
      { id: "prices", title: "Prices", kind: "table", file: "content/prices.csv" },
      { id: "film", title: "The film", kind: "video", link: "https://www.acme.example/film" },
    ],
    places: { plans: { path: "/prices", selector: "#plans", caption: "Plans", confirm: true } },
    actions: {
      report: {
        describe: "Opens it.",
        confirm: true,
        per_minute: 3,
        params: { period: { type: "string", enum: ["month"] } },
      },
    },
    questions: { team_size: "How many are you?", timeline: "When would you start?" },
    insights: { tool: "What they use today." },
    qualification: { qualified: "They have a team.", disqualified: "They look for a job." },
    tools: ["show_content", "ask_email", "talk_to_a_person", "end_session"],
    limits: { max_minutes: 15, at_once: 20, daily_starts: 500, daily_cost: 25 },
    allowed_origins: ["https://www.acme.example", "https://acme.example"],
    test_origins: ["https://staging.acme.example"],
    avatar: "rowan",
    person: "sales@acme.example",
    follow_up: false,
  };
  const files = {
    "content/logo.svg": "<svg/>",
    "content/tour.png": "\x89PNG\r\n\x1a\n0",
    "content/prices.csv": "plan,price\nsmall,10\n",
    "content/notes.txt": "notes",
    "knowledge/prices.md": "# Prices\n",
    "knowledge/setup.md": "# Setup\n",
  };
  return {
    file,
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, Buffer.from(text, "latin1")]),
    ),
  };
}

/** Writes a good agent with one mistake in it. Returns the line at which it must be reported. */
async function plantMistake(at: string, mistake: PlantedMistake): Promise<number> {
  const { field, at: place = field, below = 0 } = mistake;
  const good = goodAgent();
  const yaml = writeYaml("leftOut" in mistake ? leaveOut(good.file, field) : good.file, {
    ...("raw" in mistake && { raw: { [field]: mistake.raw } }),
    ...("key" in mistake && { renamed: { [place]: mistake.key } }),
    // One line for each text, so that the line can be written anew as a whole.
    ...("line" in mistake && { oneLine: true }),
  });
  const line = "leftOut" in mistake ? lineAround(yaml, field) : yaml.lineOf(place);
  if ("line" in mistake) {
    yaml.lines.splice(line - 1, 1, ...[mistake.line(yaml.lines[line - 1]!)].flat());
  }
  const files = { ...good.files, "agent.yaml": Buffer.from(`${yaml.lines.join("\n")}\n`) };
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), bytes);
  }
  if ("bytes" in mistake) {
    const path = join(at, mistake.file);
    await rm(path);
    if (mistake.bytes === "link out of the folder") await symlink("/etc/hostname", path);
    else if (mistake.bytes !== undefined) await writeFile(path, mistake.bytes);
  }
  return line + below;
}

/** Of what is missing, the line of the thing that misses it. */
function lineAround(yaml: WrittenYaml, field: string): number {
  const around = field.replace(/\.?[^.]*$/, "");
  return around === "" ? yaml.lines.findIndex((line) => /^\w/.test(line)) + 1 : yaml.lineOf(around);
}

function leaveOut<T extends object>(map: T, field: string): T {
  const [, key = "", rest] = /^(\w+|\[\d+\])\.?(.*)$/.exec(field)!;
  const name = key.replace(/[[\]]/g, "");
  const copy = structuredClone(map) as Record<string, unknown>;
  if (rest === "") delete copy[name];
  else copy[name] = leaveOut(copy[name] as object, rest!);
  return copy as T;
}

type Told = Pick<Mistake, "field" | "line" | "message">;

async function mistakesIn(folder: string): Promise<Told[]> {
  const error: unknown = await readAgent(folder).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  if (error instanceof AgentFileError) return error.mistakes;
  throw error;
}

/** It must be told once, at its field and line, with what it brings along and nothing else, and with a cure. */
function isToldRight(told: Told[], { field, also = [] }: PlantedMistake, line: number): boolean {
  const fields = told.map((one) => one.field ?? "").toSorted();
  const here = told.find((one) => one.field === field);
  const isComplete = String(fields) === String([field, ...also].toSorted());
  return isComplete && here?.line === line && SENTENCES.test(here.message);
}

/** What is wrong, and what to do. */
const SENTENCES = /^[^]+[.?:] [A-Z][^]+[.?]$/;

describe("a mistake in an agent's folder is told at its field and line", () => {
  it.each(plantedMistakes)("$name", async (mistake) => {
    const home = await mkdtemp(join(tmpdir(), "svc-mistake-"));
    onTestFinished(() => rm(home, { recursive: true }));
    const folder = join(home, "guide");
    const line = await plantMistake(folder, mistake);
    const told = await mistakesIn(folder);
    expect(isToldRight(told, mistake, line), `line ${line}: ${JSON.stringify(told)}`).toBe(true);
  });

  it("and not on the line above, at another field, or without a cure", () => {
    for (const mistake of plantedMistakes) {
      const right = { field: mistake.field, line: 7, message: "It is wrong. Correct it." };
      const along = (mistake.also ?? []).map((field) => ({ ...right, field }));
      expect(isToldRight([right, ...along], mistake, 7), mistake.name).toBe(true);
      const wrong = [{ line: 6 }, { field: "name.other" }, { message: "No" }];
      for (const change of wrong) {
        const isRight = isToldRight([{ ...right, ...change }, ...along], mistake, 7);
        expect(isRight, mistake.name).toBe(false);
      }
    }
  });
});

/** Decides quotes, lists, comments and blank lines, as SVC_SEED repeats it. */
const drawn = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), 10_000);
let draws = 0;

function chance(probability: number): boolean {
  return drawn[(draws += 1) % drawn.length]! < probability;
}

/** A YAML text that remembers on which line it wrote each field. */
interface WrittenYaml {
  lines: string[];
  /** From 1: the line of a field's key, or of a list's item. */
  lineOf(field: string): number;
}

interface Handwriting {
  /** Values written as they are, whatever they mean. */
  raw?: Record<string, string>;
  /** Keys written under another name. */
  renamed?: Record<string, string>;
  /** No text takes more than one line. */
  oneLine?: boolean;
}

/** Writes as people do, in one of many ways: plain, quoted or block texts, lists in brackets or not, comments. */
function writeYaml(value: object, hand: Handwriting): WrittenYaml {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const { raw = {}, renamed = {}, oneLine = false } = hand;

  function map(entries: [string, unknown][], indent: string, at: string, first = indent): void {
    for (const [index, [key, one]] of entries.entries()) {
      const field = at === "" ? key : `${at}.${key}`;
      const start = index === 0 ? first : indent;
      if (start === indent) chatter(indent);
      const name = renamed[field] ?? key;
      places.set(field, lines.length + 1);
      const head = `${start}${name}:`;
      if (raw[field] !== undefined) lines.push(`${head} ${raw[field]}`);
      else put(head, one, indent, field);
    }
  }

  function put(head: string, one: unknown, indent: string, field: string): void {
    if (one === null) lines.push(head);
    else if (Array.isArray(one)) list(head, one, indent, field);
    else if (typeof one === "object") {
      const entries = Object.entries(one);
      if (entries.length === 0) lines.push(`${head} {}`);
      else {
        lines.push(head);
        map(entries, `${indent}  `, field);
      }
    } else if (typeof one === "string" && one.includes("\n") && !oneLine && chance(0.6)) {
      lines.push(
        `${head} |-`,
        ...one.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`)),
      );
    } else lines.push(`${head} ${scalar(one)}`);
  }

  function list(head: string, items: unknown[], indent: string, field: string): void {
    const isPlain = items.every((item) => typeof item === "string");
    const hasRaw = items.some((_, index) => raw[`${field}[${index}]`] !== undefined);
    if (items.length === 0 || (isPlain && !hasRaw && chance(0.5))) {
      for (const index of items.keys()) places.set(`${field}[${index}]`, lines.length + 1);
      lines.push(`${head} [${items.map((item) => JSON.stringify(item)).join(", ")}]`);
      return;
    }
    lines.push(head);
    for (const [index, item] of items.entries()) {
      const place = `${field}[${index}]`;
      places.set(place, lines.length + 1);
      const dash = `${indent}  - `;
      if (raw[place] !== undefined) lines.push(dash + raw[place]);
      else if (typeof item === "object" && item !== null)
        map(Object.entries(item), `${indent}    `, place, dash);
      else lines.push(dash + scalar(item));
    }
  }

  function scalar(one: unknown): string {
    if (typeof one !== "string") return String(one);
    const isPlain = /^[A-Za-z][A-Za-z0-9/.-]*(?: [A-Za-z0-9]+)*$/.test(one) && !WORDS.test(one);
    if (isPlain && chance(0.7)) return one;
    if (!one.includes("\n") && chance(0.4)) return `'${one.replaceAll("'", "''")}'`;
    return JSON.stringify(one);
  }

  function chatter(indent: string): void {
    if (chance(0.1)) lines.push("");
    if (chance(0.1)) lines.push(`${indent}# a remark: not a "key"`);
  }

  map(Object.entries(value), "", "");
  return {
    lines,
    lineOf(field) {
      const line = places.get(field);
      if (line === undefined) throw new Error(`${field} was not written`);
      return line;
    },
  };
}

/** What YAML reads as something else than a text. */
const WORDS = /^(?:true|false|null|\.inf|\.nan)$/i;
