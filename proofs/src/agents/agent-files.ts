import type { AgentContent, AgentFile } from "@svc/contract/types";
import fc from "fast-check";

/** An agent's folder: what agent.yaml says, and the files beside it. */
export interface AgentFolder {
  file: AgentFile;
  files: Record<string, Buffer>;
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
const color = fc.stringMatching(/^#[0-9a-f]{6}$/);
const host = fc.stringMatching(/^[a-z]{1,8}\.(?:example|test)$/);
const link = fc
  .tuple(host, fc.stringMatching(/^[a-z0-9/?=&#]{0,12}$/))
  .map(([name, rest]) => `https://${name}/${rest}`);
const origin = fc
  .tuple(fc.constantFrom("https", "http"), host, fc.constantFrom("", ":3000", ":8443"))
  .map(([scheme, name, port]) => `${scheme}://${name}${port}`);
const code = fc.constantFrom("en", "de", "fr", "es", "pt-BR", "zh-Hant", "gsw", "no", "he");

const texts = fc
  .uniqueArray(fc.tuple(key, text), { selector: ([name]) => name, maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));
const language = fc.option(
  fc.record({ voice: line, greeting: text, notice: text }, { requiredKeys: [] }),
);
const languages = fc
  .uniqueArray(fc.tuple(code, language), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  })
  .map((entries) => Object.fromEntries(entries));

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const started = (start: string) =>
  bytes.map((rest) => Buffer.concat([Buffer.from(start, "latin1"), rest]));
const written = text.map((words) => Buffer.from(words));
const SHOWN: Record<AgentContent["kind"], [ending: string, content: fc.Arbitrary<Buffer>][]> = {
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

const shownFile: fc.Arbitrary<ShownFile> = fc
  .constantFrom(...(Object.keys(SHOWN) as AgentContent["kind"][]))
  .chain((kind) =>
    fc.constantFrom(...SHOWN[kind]).chain(([ending, content]) =>
      fc
        .record({ id: key, title: line, show_when: fc.option(text), bytes: content })
        .map((one) => ({
          content: {
            id: one.id,
            title: one.title,
            kind,
            file: `content/${one.id}.${ending}`,
            ...(one.show_when !== null && { show_when: one.show_when }),
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
      colors: fc.record({ primary: color, text: color }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ),
  modes: fc.uniqueArray(fc.constantFrom("voice" as const, "text" as const), { minLength: 1 }),
  languages,
  record_language: code,
  persona: text,
  instructions: text,
  questions: texts,
  insights: texts,
  qualification: fc.record(
    { qualified: text, disqualified: text },
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
export const anyAgent: fc.Arbitrary<AgentFolder> = fc
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
