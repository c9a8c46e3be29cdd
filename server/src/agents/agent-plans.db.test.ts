import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addCustomer, applyFolder, planFolder } from "#testing";
import { databaseTest } from "#testing/database-test";
import schema from "@svc/contract/agent.schema.json" with { type: "json" };
import type { AgentContent, AgentFile } from "@svc/contract/types";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { ToStringOptions } from "yaml";

/** An agent's folder: what agent.yaml says, and the files beside it. */
interface AgentFolder {
  file: AgentFile;
  files: Record<string, Buffer>;
}

interface ShownChange {
  field: string;
  change: string;
  from?: string;
  to?: string;
}

/** How people write YAML: quotes, lists in brackets or not, texts in one block or another. */
const HANDWRITINGS: ToStringOptions[] = [
  {},
  { defaultStringType: "QUOTE_DOUBLE" },
  { defaultStringType: "QUOTE_SINGLE", indent: 4 },
  { defaultStringType: "QUOTE_DOUBLE", collectionStyle: "flow" },
  { blockQuote: "folded", lineWidth: 0 },
  { blockQuote: "literal", nullStr: "~" },
];

/** Pairs of agents. Each needs some forty plans, which take 10 ms of CPU each. */
const PAIRS = 12;

databaseTest(
  "an applied agent is what its folder says, and no change goes unseen",
  async ({ database: { db } }) => {
    const home = await mkdtemp(join(tmpdir(), "svc-agents-"));
    onTestFinished(() => rm(home, { recursive: true }));
    const { account } = await addCustomer(db);
    const seen = { pairs: 0, plans: 0, changes: 0 };

    const roundTrip = fc.asyncProperty(anyAgent, anyAgent, async (one, other) => {
      const at = join(home, `agent-${(seen.pairs += 1)}`);
      const written = new Map<string, Buffer>();
      const write = async ({ file, files }: AgentFolder): Promise<void> => {
        const yaml = stringify(file, HANDWRITINGS[seen.plans % HANDWRITINGS.length]);
        await writeFolder(at, written, yaml, files);
      };
      const plan = async (name: string, folder: AgentFolder, from: AgentFolder): Promise<void> => {
        await write(folder);
        const { changes } = await planFolder(db, account.id, at);
        expect(faultOf(changes, from, folder), name).toBeUndefined();
        seen.plans += 1;
        seen.changes += changes.length;
        // The controls: a change that is not shown, and one that was not made.
        if (changes.length > 0) expect(faultOf(changes.slice(1), from, folder)).toBeDefined();
        const invented = { field: "invented", change: "added", to: "x" };
        expect(faultOf([...changes, invented], from, folder)).toBeDefined();
      };

      expect(editorComplaints(one.file)).toEqual([]);
      expect(editorComplaints({ ...one.file, nmae: "x" })).not.toEqual([]);
      await write(one);
      await applyFolder(db, account.id, at);
      await plan("the same again", one, one);
      await plan("the same in another order", reordered(one), one);
      for (const { name, folder } of singleChanges(one, other)) await plan(name, folder, one);

      await plan("another agent", other, one);
      const { version, plan: applied } = await applyFolder(db, account.id, at);
      if (applied.changes.length > 0) expect(applied.current?.version).toBe(version - 1);
      await plan("the other agent again", other, other);
      expect(await applyFolder(db, account.id, at)).toMatchObject({
        version,
        plan: { changes: [] },
      });
      await rm(at, { recursive: true });
    });
    await fc.assert(roundTrip, { numRuns: PAIRS, endOnFailure: true });
    expect(seen.changes).toBeGreaterThan(seen.plans / 2);
  },
  120_000,
);

/** An agent's folder as it is said, and nothing else in it. Only what differs from `written` is: files cost more than a plan. */
async function writeFolder(
  at: string,
  written: Map<string, Buffer>,
  yaml: string,
  files: AgentFolder["files"],
): Promise<void> {
  const all = { ...files, "agent.yaml": Buffer.from(`# A remark: not a "key".\n\n${yaml}`) };
  for (const path of written.keys()) {
    if (path in all) continue;
    await rm(join(at, path));
    written.delete(path);
  }
  for (const [path, bytes] of Object.entries(all)) {
    if (written.get(path)?.equals(bytes) === true) continue;
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), bytes);
    written.set(path, bytes);
  }
}

const validate = new Ajv({ allErrors: true }).compile(schema);

/** What an editor that knows the schema would complain about. */
function editorComplaints(file: unknown): string[] {
  validate(file);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** What is wrong with a plan from one folder to another: a change not shown, one too many, or a wrong value. */
function faultOf(changes: ShownChange[], from: AgentFolder, to: AgentFolder): string | undefined {
  const [before, after] = [meaningOf(from), meaningOf(to)];
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  const expected = fields.filter((field) => before.get(field) !== after.get(field)).toSorted();
  const shown = changes.map(({ field }) => field).toSorted();
  if (String(shown) !== String(expected))
    return `shows ${shown.join(", ") || "nothing"}, where ${expected.join(", ") || "nothing"} changed`;
  for (const { field, change, from: old, to: next } of changes) {
    const kind = !before.has(field) ? "added" : !after.has(field) ? "removed" : "changed";
    if (change !== kind) return `${field} is called ${change}, it is ${kind}`;
    if (field.includes("/")) continue;
    if (old !== before.get(field) || next !== after.get(field))
      return `${field} is shown as ${old} → ${next}`;
  }
  return undefined;
}

/**
 * What an agent's folder says, field by field, written from the documentation alone: the plan
 * must name exactly the fields whose meaning differs.
 */
function meaningOf({ file, files }: AgentFolder): Map<string, string> {
  const meaning = new Map<string, string>();
  const say = (field: string, value: Said | Said[]): void => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    meaning.set(field, Array.isArray(value) ? value.join(", ") : String(value));
  };
  const sayFile = (field: string | undefined, path: string | undefined): void => {
    if (path === undefined) return;
    if (field !== undefined) say(field, path);
    meaning.set(path, createHash("sha256").update(files[path]!).digest("hex"));
  };
  const languages = file.languages ?? { en: null };
  const first = file.default_language ?? Object.keys(languages)[0]!;
  const knowledge = file.knowledge ?? Object.keys(files).filter(isKnowledge).toSorted(byName);
  say("name", file.name);
  say("brand.name", file.brand?.name ?? file.name);
  say("brand.link", file.brand?.link);
  sayFile("brand.logo", file.brand?.logo);
  say("brand.cta.text", file.brand?.cta?.text);
  say("brand.cta.link", file.brand?.cta?.link);
  say("brand.colors.primary", file.brand?.colors?.primary);
  say("brand.colors.text", file.brand?.colors?.text);
  say("theme", file.theme === "auto" ? undefined : file.theme);
  say("modes", file.modes ?? ["voice", "text"]);
  say("languages", Object.keys(languages));
  for (const [code, texts] of Object.entries(languages))
    for (const [name, words] of Object.entries(texts ?? {}))
      say(`languages.${code}.${name}`, words);
  say("default_language", first);
  say("record_language", file.record_language ?? first);
  say("persona", file.persona);
  say("instructions", file.instructions);
  say("knowledge", knowledge);
  for (const path of knowledge) sayFile(undefined, path);
  say(
    "content",
    (file.content ?? []).map(({ id }) => id),
  );
  for (const { id, file: path, languages: own = {}, ...rest } of file.content ?? []) {
    sayFile(`content.${id}.file`, path);
    say(`content.${id}.languages`, Object.keys(own));
    for (const [into, { title }] of Object.entries(own))
      say(`content.${id}.languages.${into}.title`, title);
    for (const [name, value] of Object.entries(rest)) say(`content.${id}.${name}`, value);
  }
  for (const list of ["questions", "insights"] as const) {
    say(list, Object.keys(file[list] ?? {}));
    for (const [key, words] of Object.entries(file[list] ?? {})) say(`${list}.${key}`, words);
  }
  const sides = (["qualified", "disqualified"] as const).map((side) => {
    const texts = [file.qualification?.[side] ?? []].flat();
    if (texts.length > 0) say(`qualification.${side}`, texts.join("\n"));
    return texts.map((one, index): [string, string] => [
      texts.length === 1 ? side : `${side}_${index + 1}`,
      one,
    ]);
  });
  if (sides.some((items) => items.length > 1)) {
    say(
      "qualification.items",
      sides.flat().map(([name]) => name),
    );
    for (const [name, one] of sides.flat()) say(`qualification.items.${name}`, one);
  }
  say("tools", file.tools ?? usualTools(file, knowledge));
  say("limits.max_minutes", file.limits?.max_minutes ?? 20);
  for (const name of ["at_once", "daily_starts", "daily_cost"] as const)
    say(`limits.${name}`, file.limits?.[name]);
  say("allowed_origins", file.allowed_origins);
  say("test_origins", file.test_origins);
  const { avatar = "linden" } = file;
  if (typeof avatar === "string") say("avatar", avatar);
  else {
    sayFile("avatar.poster", avatar.poster);
    sayFile("avatar.loop", avatar.loop);
  }
  const { person } = file;
  say("person", person === undefined || person.includes("://") ? person : `mailto:${person}`);
  say("follow_up", file.follow_up ?? true);
  return meaning;
}

function usualTools(file: AgentFile, knowledge: string[]): string[] {
  return [
    ...((file.content ?? []).length > 0 ? ["show_content"] : []),
    "ask_email",
    ...(knowledge.length > 0 ? ["search_knowledge"] : []),
    ...(file.person === undefined ? [] : ["talk_to_a_person"]),
    "end_session",
  ];
}

type Said = string | number | boolean | undefined;

const isKnowledge = (path: string): boolean => path.startsWith("knowledge/");
const byName = (a: string, b: string): number => (a < b ? -1 : 1);

/** One thing made different. */
interface SingleChange {
  name: string;
  folder: AgentFolder;
}

/**
 * The first agent with one field as in the second: written anew, changed or taken out; each field,
 * each field inside a field, and each file.
 */
function singleChanges(one: AgentFolder, other: AgentFolder): SingleChange[] {
  const fields = [...new Set([...Object.keys(one.file), ...Object.keys(other.file)])];
  const whole = fields
    .filter((field) => field !== "name" || other.file.name !== one.file.name)
    .map((field) => ({
      name: field,
      folder: withFiles(
        withField(one.file, field, other.file[field as keyof AgentFile]),
        one,
        other,
      ),
    }));
  const inner = fields.flatMap((field) => {
    const [mine, theirs] = [one.file, other.file].map((file) => file[field as keyof AgentFile]);
    if (!isMap(mine) || !isMap(theirs)) return [];
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].map((key) => {
      const value = theirs[key] ?? (key in theirs ? null : undefined);
      const changed = withField(one.file, field, without(mine, key, value));
      return { name: `${field}.${key}`, folder: withFiles(changed, one, other) };
    });
  });
  const files = Object.entries(one.files).map(([path, bytes]) => ({
    name: path,
    folder: {
      file: one.file,
      files: { ...one.files, [path]: Buffer.concat([bytes, Buffer.from("!")]) },
    },
  }));
  return [...whole, ...inner, ...files].filter(({ folder }) => isLawful(folder.file));
}

/** The same meaning in another order: of the fields, not of what stands in them. */
function reordered({ file, files }: AgentFolder): AgentFolder {
  return {
    file: Object.fromEntries(Object.entries(file).toReversed()) as unknown as AgentFile,
    files,
  };
}

function withField(file: AgentFile, field: string, value: unknown): AgentFile {
  return without(file as unknown as Record<string, unknown>, field, value) as unknown as AgentFile;
}

/** Keeps the place of a key that is there. */
function without(
  map: Record<string, unknown>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const changed = { ...map, [key]: value };
  if (value === undefined) delete changed[key];
  return changed;
}

/** What the changed agent names must be there; knowledge that no one names must not, where the folder decides. */
function withFiles(file: AgentFile, one: AgentFolder, other: AgentFolder): AgentFolder {
  const named = [
    ...(file.knowledge ?? Object.keys(one.files).filter((path) => path.startsWith("knowledge/"))),
    ...(file.content ?? []).flatMap((content) => content.file ?? []),
    ...(file.brand?.logo === undefined ? [] : [file.brand.logo]),
  ];
  const files = named.map((path) => [path, one.files[path] ?? other.files[path]!] as const);
  return { file, files: Object.fromEntries(files) };
}

/** Some changes need a second one to be allowed; those are none. */
function isLawful({ name, languages, default_language, qualification }: AgentFile): boolean {
  const codes = Object.keys(languages ?? { en: null });
  return (
    name !== undefined &&
    codes.length > 0 &&
    (default_language === undefined || codes.includes(default_language)) &&
    (qualification === undefined || qualification.qualified !== undefined)
  );
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Words that YAML would take for something else, and letters from everywhere. */
const ODD =
  "true null yes on 12 1e3 0x1F ~ - a: # it's \" *x &x !y @ ` % { ] | > ? é ß 日本語 🧭 مرحبا a\\b --- Ω";
const word = fc.oneof(fc.constantFrom(...ODD.split(" ")), fc.stringMatching(/^[A-Za-z]{1,9}$/));
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const text = fc
  .array(fc.oneof({ weight: 6, arbitrary: line }, fc.constant("")), { maxLength: 4 })
  .chain((middle) => fc.tuple(line, fc.constant(middle), line))
  .map(([first, middle, last]) =>
    middle.length === 0 ? first : [first, ...middle, last].join("\n"),
  );
const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
/** Words without an end of a sentence, where a text would be split. */
const criteria = fc.oneof(key, fc.uniqueArray(key, { minLength: 1, maxLength: 3 }));
const color = fc.stringMatching(/^#[0-9a-f]{6}$/);
const host = fc.stringMatching(/^[a-z]{1,8}\.(?:example|test)$/);
const link = fc
  .tuple(host, fc.stringMatching(/^[a-z0-9/?=&#]{0,12}$/))
  .map(([name, rest]) => `https://${name}/${rest}`);
const origin = fc
  .tuple(fc.constantFrom("https", "http"), host, fc.constantFrom("", ":3000", ":8443"))
  .map(([scheme, name, port]) => `${scheme}://${name}${port}`);
const code = fc.constantFrom("en", "de", "fr", "es", "pt-BR", "zh-Hant", "gsw", "no", "he");
/** Others need a file with our texts. */
const spoken = fc.constantFrom("en", "de", "fr", "es", "en-GB", "de-CH", "fr-CA", "es-MX", "de-AT");

const texts = fc
  .uniqueArray(fc.tuple(key, text), { selector: ([name]) => name, maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));
const language = fc.option(
  fc.record({ voice: line, greeting: text, notice: text }, { requiredKeys: [] }),
);
const languages = fc
  .uniqueArray(fc.tuple(spoken, language), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  })
  .map((entries) => Object.fromEntries(entries));

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const started = (start: string) =>
  bytes.map((rest) => Buffer.concat([Buffer.from(start, "latin1"), rest]));
const written = text.map((words) => Buffer.from(words));
/** A tour is more than a file: it names pictures. */
type FileKind = Exclude<AgentContent["kind"], "tour">;
const SHOWN: Record<FileKind, [ending: string, content: fc.Arbitrary<Buffer>][]> = {
  image: [
    ["png", started("\x89PNG\r\n\x1a\n")],
    ["jpg", started("\xff\xd8\xff")],
    ["gif", started("GIF89a")],
    ["svg", fc.nat().map((size) => Buffer.from(`<svg width="${size}"/>`))],
  ],
  markdown: [["md", written]],
  video: [
    ["mp4", started("0000ftypisom")],
    ["webm", started("\x1a\x45\xdf\xa3")],
  ],
  code: [
    ["ts", written],
    ["html", written],
  ],
  table: [["csv", written]],
};

interface ShownFile {
  content: AgentContent;
  bytes?: Buffer;
}

const titles = fc.option(fc.dictionary(code, fc.record({ title: line }), { maxKeys: 2 }));
const shownFile: fc.Arbitrary<ShownFile> = fc
  .constantFrom(...(Object.keys(SHOWN) as FileKind[]))
  .chain((kind) =>
    fc.constantFrom(...SHOWN[kind]).chain(([ending, content]) =>
      fc
        .record({ id: key, title: line, show_when: fc.option(text), bytes: content, titles })
        .map((one) => ({
          content: {
            id: one.id,
            title: one.title,
            kind,
            file: `content/${one.id}.${ending}`,
            ...(one.show_when !== null && { show_when: one.show_when }),
            ...(one.titles !== null && { languages: one.titles }),
          },
          bytes: one.bytes,
        })),
    ),
  );
const linked: fc.Arbitrary<ShownFile> = fc
  .record({ id: key, title: line, kind: fc.constantFrom("image" as const, "video" as const), link })
  .map((content) => ({ content }));
const shown = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: shownFile }, linked), {
  selector: ({ content }) => content.id,
  maxLength: 4,
});

const knowledge = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), written, {
  maxKeys: 3,
});

const settings = {
  brand: fc.record(
    {
      name: line,
      link,
      cta: fc.record({ text: line.map((words) => words.slice(0, 40).trim()), link }),
      colors: fc.record({ primary: color, text: color }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ),
  theme: fc.constantFrom("light" as const, "dark" as const, "auto" as const),
  modes: fc.uniqueArray(fc.constantFrom("voice" as const, "text" as const), { minLength: 1 }),
  languages,
  record_language: code,
  persona: text,
  instructions: text,
  questions: texts,
  insights: texts,
  qualification: fc.record(
    { qualified: criteria, disqualified: criteria },
    { requiredKeys: ["qualified"] },
  ),
  limits: fc.record(
    {
      max_minutes: fc.integer({ min: 1, max: 30 }),
      at_once: fc.integer({ min: 1, max: 1000 }),
      daily_starts: fc.integer({ min: 1, max: 100_000 }),
      daily_cost: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
    },
    { requiredKeys: [] },
  ),
  allowed_origins: fc.uniqueArray(origin, { maxLength: 3 }),
  test_origins: fc.uniqueArray(origin, { maxLength: 2 }),
  avatar: fc.constantFrom("ash", "birch", "cedar", "hazel", "linden", "rowan", "orb"),
  person: fc.oneof(
    link,
    fc.tuple(key, host).map(([name, at]) => `${name}@${at}`),
  ),
  follow_up: fc.boolean(),
} satisfies Partial<Record<keyof AgentFile, fc.Arbitrary<unknown>>>;

/** What depends on the rest. */
const choices = fc.record({
  namesKnowledge: fc.boolean(),
  hasLogo: fc.boolean(),
  namesDefault: fc.boolean(),
  picksTools: fc.boolean(),
});

/** Any agent that may be written: each field there or not. */
const anyAgent: fc.Arbitrary<AgentFolder> = fc
  .tuple(line, fc.record(settings, { requiredKeys: [] }), knowledge, shown, choices)
  .map(([name, said, known, slides, choice]) => {
    const files: Record<string, Buffer> = {};
    for (const [path, content] of Object.entries(known)) files[`knowledge/${path}.md`] = content;
    for (const { content, bytes: one } of slides)
      if (content.file !== undefined) files[content.file] = one!;
    const file: AgentFile = { name, ...said };
    if (choice.namesKnowledge)
      file.knowledge = Object.keys(known).map((path) => `knowledge/${path}.md`);
    if (slides.length > 0) file.content = slides.map(({ content }) => content);
    if (choice.hasLogo) {
      file.brand = { ...file.brand, logo: "content/the-logo.svg" };
      files["content/the-logo.svg"] = Buffer.from(`<svg aria-label="${name.length}"/>`);
    }
    if (choice.namesDefault && file.languages !== undefined)
      file.default_language = Object.keys(file.languages).at(-1)!;
    if (choice.picksTools) file.tools = ["end_session", "ask_email"];
    return { file, files };
  });
