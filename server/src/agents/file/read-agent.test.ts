import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "#platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXAMPLE_AGENT } from "./init-agent.ts";
import { AgentFileError } from "./mistake.ts";
import { readAgent } from "./read-agent.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "svc-agent-"));
});
afterEach(() => rm(root, { recursive: true }));

async function folder(files: Record<string, string | Uint8Array>, name = "guide"): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name, path)), { recursive: true });
    await writeFile(join(root, name, path), content);
  }
  return join(root, name);
}

/** `line field: message` of each mistake. */
async function mistakes(at: string): Promise<string[]> {
  const error: unknown = await readAgent(at, "guide").catch((thrown: unknown) => thrown);
  if (!(error instanceof AgentFileError)) throw error;
  return error.mistakes.map(({ file, line, field, message }) =>
    [file === "guide/agent.yaml" ? line : file, `${field ?? ""}:`, message].join(" "),
  );
}

const ITALIAN = new URL("../../../../rehearsal/scripts/words/it.yaml", import.meta.url);
const PNG = Buffer.from("89504e470d0a1a0a00", "hex");
const content = (file: string, kind: string): string =>
  `name: Ada\ncontent:\n  - id: a\n    title: A\n    kind: ${kind}\n    file: ${file}\n`;

describe("reading an agent's folder", () => {
  it("takes the example as it is, and uses all of its files", async () => {
    const { slug, config, files, unused } = await readAgent(EXAMPLE_AGENT);
    expect({ slug, unused }).toEqual({ slug: "example", unused: [] });
    expect(config.languages.map(({ code }) => code)).toEqual(["en", "de", "fr", "es"]);
    expect(config.questions).toHaveLength(3);
    const written = files.filter(({ path }) => !path.endsWith(".slide.json"));
    expect(written.map(({ mediaType }) => mediaType).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "image/svg+xml"),
      ...Array.from({ length: 4 }, () => "text/csv"),
      ...Array.from({ length: 32 }, () => "text/markdown"),
      "text/plain",
    ]);
  });

  it("takes translations of a slide that it names, or that lie beside its file", async () => {
    const yaml = `name: Ada
languages: { en: , de: , fr: , es: }
content:
  - { id: a, title: A, kind: markdown, file: content/a.b.md, languages: { de: { title: " Ä " }, fr: { file: content/x.md } } }
  - { id: b, title: B, kind: image, link: "https://a.example/b.png", languages: { pt-BR: { link: "https://a.example/c.png" } } }
`;
    const slide = (name: string) => ({ [`content/${name}.md`]: name });
    const files = { ...slide("a.b"), ...slide("a.b.de"), ...slide("a.b.fr"), ...slide("x") };
    const { config, unused } = await readAgent(await folder({ "agent.yaml": yaml, ...files }));
    expect(config.content.map(({ languages }) => languages)).toMatchObject([
      [
        { code: "de", title: "Ä", file: { path: "content/a.b.de.md" } },
        { code: "fr", file: { path: "content/x.md" } },
      ],
      [{ code: "pt-BR", link: "https://a.example/c.png" }],
    ]);
    expect(unused).toEqual(["content/a.b.fr.md"]);
  });

  it("keeps a slide's data beside its Markdown, in every language, and names the line of a mistake", async () => {
    const files = {
      "agent.yaml": `${content("content/a.md", "markdown")}languages: { en: , de: }\n`,
      "content/a.md": "---\nkind: title\n---\n# Every crew\n",
      "content/a.de.md": "---\nkind: title\n---\n# Jede Kolonne\n",
    };
    const read = await readAgent(await folder(files));
    const data = read.files.filter(({ path }) => path.endsWith(".slide.json"));
    expect(data.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual([
      { kind: "title", title: "Every crew" },
      { kind: "title", title: "Jede Kolonne" },
    ]);
    expect(read.config.content).toMatchObject([
      {
        file: { path: "content/a.md" },
        slide: { sha256: data[0]!.sha256 },
        languages: [{ code: "de", slide: { sha256: data[1]!.sha256 } }],
      },
    ]);
    const at = await folder({ "content/a.de.md": "---\nkind: title\n---\n\nJede Kolonne\n" });
    const error: unknown = await readAgent(at, "guide").catch((thrown: unknown) => thrown);
    const place = { file: "guide/content/a.de.md", line: 5 };
    expect(error).toMatchObject({ mistakes: [place] });
  });

  it("keeps the pictures of a slide, and the dark ones beside them", async () => {
    const svg = (size: number): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420"><text font-size="${size}">a</text></svg>`;
    const files = {
      "agent.yaml": content("content/a.md", "markdown"),
      "content/a.md": "---\nkind: screenshot\n---\n![b](b.svg)\n",
      "content/b.svg": svg(15),
      "content/b.dark.svg": svg(20),
    };
    const read = await readAgent(await folder(files));
    const [light, dark] = ["content/b.svg", "content/b.dark.svg"].map(
      (path) => read.files.find((file) => file.path === path)!.sha256,
    );
    const data = read.files.find(({ path }) => path.endsWith(".slide.json"))!;
    const size = { alt: "b", width: 960, height: 420 };
    expect(JSON.parse(data.bytes.toString())).toEqual({
      kind: "screenshot",
      image: { file: light, ...size, min_width: 768 },
      dark: { file: dark, ...size, min_width: 576 },
    });
    expect(read.config.content).toMatchObject([{ media: [{ sha256: light }, { sha256: dark }] }]);
    expect(read.unused).toEqual([]);
    const at = await folder({ "content/a.md": "---\nkind: screenshot\n---\n\n![b](c.svg)\n" });
    const error: unknown = await readAgent(at, "guide").catch((thrown: unknown) => thrown);
    const message =
      "There is no file content/c.svg in the agent's folder. Did you mean `content/b.svg`?";
    expect(error).toMatchObject({ mistakes: [{ file: "guide/content/a.md", line: 5, message }] });
  });

  it("tells what is wrong with a translation", async () => {
    const yaml = `name: Ada
content:
  - id: a
    title: A
    kind: markdown
    file: content/a.md
    languages:
      german: { title: A }
      fr: { link: "https://a.example" }
      es: { file: content/none.md }
      de: { titles: A }
`;
    const at = await folder({ "agent.yaml": yaml, "content/a.md": "A" });
    expect(await mistakes(at)).toEqual([
      "8 content[0].languages.german: This is no language code. Write one such as en or pt-BR.",
      "9 content[0].languages.fr.link: The slide itself has no link. Write the same kind here as there.",
      "10 content[0].languages.es.file: There is no file content/none.md in the agent's folder. Add it, or correct the path.",
      "11 content[0].languages.de.titles: This key is not known here. Did you mean `title`?",
    ]);
  });

  it("refuses a language without our texts, and says how to get them", async () => {
    const yaml = "name: Ada\nlanguages:\n  en:\n  it:\n  de-CH:\n";
    const at = await folder({ "agent.yaml": yaml, "languages/fr.yaml": "reviewed: true\n" });
    expect(await mistakes(at)).toEqual([
      "4 languages.it: Our own texts are not in this language yet. `svc agents apply` has the model draft them into a file for you to review.",
    ]);
    // Whoever only rehearses needs none.
    const { config, unused } = await readAgent(at, "guide", { needsWords: false });
    expect(config.languages).toEqual([{ code: "en" }, { code: "it" }, { code: "de-CH" }]);
    expect(unused).toEqual(["languages/fr.yaml"]);
  });

  it("takes our texts from their file, once they are reviewed", async () => {
    const yaml = "name: Ada\nlanguages: { it: }\n";
    const texts = await readFile(ITALIAN, "utf8");
    const at = await folder({ "agent.yaml": yaml, "languages/it.yaml": texts });
    expect(await mistakes(at)).toEqual([
      "guide/languages/it.yaml reviewed: Nobody has reviewed these texts. Read them, correct them, and write `reviewed: true`.",
    ]);
    await folder({ "languages/it.yaml": `reviewed: true\n${texts}` });
    const { config, files, unused } = await readAgent(at);
    expect(config.languages).toMatchObject([
      {
        code: "it",
        words: { language: "it", call: { talk: "Parla" } },
        wordsFile: { path: "languages/it.yaml", mediaType: "application/json" },
      },
    ]);
    expect(files.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual([
      config.languages[0]!.words,
    ]);
    expect(unused).toEqual([]);
  });

  it("fills in every default of a file with a name and nothing else", async () => {
    const { config } = await readAgent(await folder({ "agent.yaml": "name: Ada\n" }));
    expect(config).toEqual({
      name: "Ada",
      brand: { name: "Ada" },
      modes: ["voice", "text"],
      languages: [{ code: "en" }],
      defaultLanguage: "en",
      recordLanguage: "en",
      knowledge: [],
      content: [],
      questions: [],
      insights: [],
      tools: ["ask_email", "end_session"],
      limits: { maxMinutes: 20 },
      allowedOrigins: [],
      testOrigins: [],
      avatar: "linden",
      followUp: true,
    });
  });

  it("brings every value into its one form", async () => {
    const text = [
      'name: "  Ada "',
      "brand: {colors: {primary: '#FA0', text: '#FFFFFF'}}",
      "languages:\n  de:\n  en:\n    greeting: |\n      Hello\n",
      "questions:\n  b: B?\n  a: A?",
      "allowed_origins: ['HTTPS://Bücher.example:443/', 'http://localhost:3000']",
      "person: sales@example.com",
    ].join("\n");
    const { config } = await readAgent(await folder({ "agent.yaml": text }));
    expect(config).toMatchObject({
      name: "Ada",
      brand: { name: "Ada", colors: { primary: "#ffaa00", text: "#ffffff" } },
      languages: [{ code: "de" }, { code: "en", greeting: "Hello" }],
      defaultLanguage: "de",
      recordLanguage: "de",
      questions: [
        { key: "b", text: "B?" },
        { key: "a", text: "A?" },
      ],
      allowedOrigins: ["https://xn--bcher-kva.example", "http://localhost:3000"],
      person: "mailto:sales@example.com",
      tools: ["ask_email", "talk_to_a_person", "end_session"],
    });
  });

  it.each([
    ["a text of one sentence", "qualified: Ten people or more.", undefined],
    [
      "what must be met, by sentence",
      "qualified: >-\n    Ten people\n    or more. They start, e.g. with a pilot, this year.",
      [
        "qualified_1: Ten people or more.",
        "qualified_2: They start, e.g. with a pilot, this year.",
      ],
    ],
    [
      "lines that only wrap a sentence, into none",
      "qualified: |\n    Ten people\n    or more",
      undefined,
    ],
    [
      "dashes and numbers",
      "qualified: |\n    - Ten people\n      or more\n    2) A budget",
      ["qualified_1: Ten people or more", "qualified_2: A budget"],
    ],
    [
      "what rules out at dashes alone: a sentence may be an exception",
      "qualified: Ten.\n  disqualified: Students. Not if they teach.",
      undefined,
    ],
    [
      "a list as it is",
      "qualified: [Ten people. Or twelve., A budget]\n  disqualified: [Students]",
      ["qualified_1: Ten people. Or twelve.", "qualified_2: A budget", "disqualified: Students"],
    ],
    ["a list of one, which keeps a text whole", "qualified: [Ten people. Or twelve.]", undefined],
  ])("splits criteria: %s", async (_, criteria, expected) => {
    const text = `name: Ada\nqualification:\n  ${criteria}\n`;
    const { config } = await readAgent(await folder({ "agent.yaml": text }));
    const items = config.qualification?.items?.map((one) => `${one.key}: ${one.text}`);
    expect(items).toEqual(expected);
  });

  it("reads every knowledge/*.md unless told which", async () => {
    const files = { "knowledge/b.md": "B", "knowledge/a.md": "A", "knowledge/old.txt": "O" };
    const all = await readAgent(await folder({ ...files, "agent.yaml": "name: Ada" }));
    expect(all.config.knowledge.map(({ path }) => path)).toEqual([
      "knowledge/a.md",
      "knowledge/b.md",
    ]);
    expect(all.unused).toEqual(["knowledge/old.txt"]);
    const one = await readAgent(
      await folder({ ...files, "agent.yaml": "name: Ada\nknowledge: [knowledge/b.md]" }),
    );
    expect(one.config.knowledge.map(({ path }) => path)).toEqual(["knowledge/b.md"]);
    expect(one.unused).toEqual(["knowledge/a.md", "knowledge/old.txt"]);
  });

  it("takes a picture of the owner's own as its face, and says what is wrong with it", async () => {
    const files = { "content/face.svg": "<svg/>", "content/face.webm": "no video" };
    const asFace = (avatar: string): Promise<string> =>
      folder({ ...files, "agent.yaml": `name: Ada\navatar: ${avatar}` });
    const { config, unused } = await readAgent(await asFace("{ poster: content/face.svg }"));
    expect(config.avatar).toMatchObject({ poster: { mediaType: "image/svg+xml" } });
    expect(unused).toEqual(["content/face.webm"]);
    expect(await mistakes(await asFace("{ poster: content/face.svg, lop: x }"))).toEqual([
      expect.stringMatching(/^2 avatar\.lop: This key is not known here. Did you mean `loop`\?$/),
    ]);
    expect(await mistakes(await asFace("dog"))).toEqual([
      expect.stringMatching(/^2 avatar: `dog` is not known here\. Write one of ash, /),
    ]);
    expect(
      await mistakes(await asFace("{ poster: content/none.png, loop: content/face.webm }")),
    ).toEqual([
      expect.stringMatching(/^2 avatar\.poster: There is no file content\/none\.png/),
      expect.stringMatching(/^2 avatar\.loop: content\/face\.webm is no MP4 or WebM video/),
    ]);
  });

  it("tells mistakes in syntax, fields and files at once, from the top to the bottom", async () => {
    const text = [
      "name: 2024",
      "langauges:",
      "  en:",
      "brand:",
      "  logo: content/logo.png",
      "  colors:",
      "    primary: #fff",
      "knowledge:",
      "  - knowledge/prices.md",
      "modes: [voice, vioce]",
      "modes: voice",
      "allowed_origins:",
      "  - https://example.com",
      "  - https://EXAMPLE.com:443/",
      "  - https://exa%mple.com",
    ].join("\n");
    const at = await folder({ "agent.yaml": text, "knowledge/price.md": "10" });
    expect(await mistakes(at)).toEqual([
      "1 name: YAML reads this as a number. Put it in quotes.",
      "2 langauges: This key is not known here. Did you mean `languages`?",
      expect.stringMatching(/^5 brand\.logo: There is no file content\/logo\.png/),
      expect.stringMatching(/^7 brand\.colors\.primary: .*quotes/),
      expect.stringMatching(/^9 knowledge\[0\]: .*Did you mean `knowledge\/price\.md`\?$/),
      expect.stringMatching(/^10 modes: This is a text\. Write a list/),
      "11 modes: This key is there already, on line 10. Remove one of the two.",
      "14 allowed_origins[1]: This is https://example.com again. Remove one.",
      "15 allowed_origins[2]: This is no origin. Write it as https://www.example.com.",
    ]);
  });

  it.each([
    ["greeting: Hi", "It belongs into `languages.<code>.greeting`."],
    ["maxMinutes: 5", "It belongs into `limits.max_minutes`."],
    ["show_when: x", "It belongs into `content[].show_when`."],
    ["recordLanguage: en", "Did you mean `record_language`?"],
    ["persona-x: y", "Did you mean `persona`?"],
    ["wildly_different: y", "Remove it."],
  ])("says what to do with the unknown key of `%s`", async (line, hint) => {
    const at = await folder({ "agent.yaml": `name: Ada\n${line}\n` });
    expect(await mistakes(at)).toEqual([
      `2 ${line.split(":", 1)[0]}: This key is not known here. ${hint}`,
    ]);
  });

  it("never leaves the folder", async () => {
    await writeFile(join(root, "secret.md"), "secret");
    const at = await folder({
      "agent.yaml": content("content/a.md", "markdown"),
      "content/b.md": "B",
    });
    await symlink(join(root, "secret.md"), join(at, "content/a.md"));
    expect(await mistakes(at)).toEqual([
      "6 content[0].file: A link leads content/a.md out of the agent's folder. Copy the file into it.",
    ]);
    for (const path of ["../secret.md", join(root, "secret.md"), "content/../../secret.md"]) {
      await folder({ "agent.yaml": content(path, "markdown") });
      expect(await mistakes(at)).toEqual([
        expect.stringMatching(/^6 content\[0\]\.file: This is no path/),
      ]);
    }
    await rm(join(at, "content"), { recursive: true });
    await symlink(root, join(at, "content"));
    await folder({ "agent.yaml": content("content/secret.md", "markdown") });
    expect(await mistakes(at)).toEqual([expect.stringContaining("out of the agent's folder")]);
  });

  it("follows links that stay inside", async () => {
    const at = await folder({
      "agent.yaml": content("content/a.md", "markdown"),
      "content/b.md": "B",
    });
    await symlink(join(at, "content/b.md"), join(at, "content/a.md"));
    expect((await readAgent(at)).files).toMatchObject([{ path: "content/a.md", size: 1 }]);
  });

  it.each([
    ["a picture that is text", "content/a.png", "image", "<html>", "is no PNG"],
    ["a picture that runs", "content/a.svg", "image", "<svg onload='x()'/>", "holds scripts"],
    [
      "a picture that loads",
      "content/a.svg",
      "image",
      "<svg><image href='https://x'/></svg>",
      "holds scripts",
    ],
    ["a film that is a picture", "content/a.mp4", "video", PNG, "is no MP4"],
    ["a text that is a picture", "content/a.md", "markdown", PNG, "is no UTF-8"],
    ["a table by another name", "content/a.md", "table", "a,b", "does not end in .csv"],
    ["nothing", "content/a.md", "markdown", "", "is empty"],
    ["a folder", "content", "code", PNG, "is no file"],
    [
      "a text that is too long",
      "content/a.md",
      "markdown",
      "x".repeat(200_001),
      "Make it smaller than 200 KB",
    ],
  ])("refuses %s", async (_name, file, kind, bytes, message) => {
    const at = await folder({
      "agent.yaml": content(file, kind),
      [file === "content" ? "content/x.md" : file]: bytes,
    });
    expect(await mistakes(at)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ["content/a.png", "image", PNG, "image/png"],
    ["content/a.jpg", "image", Buffer.from("ffd8ffe0", "hex"), "image/jpeg"],
    ["content/a.gif", "image", "GIF89a", "image/gif"],
    ["content/a.webp", "image", "RIFF0000WEBPVP8 ", "image/webp"],
    ["content/a.svg", "image", "<?xml version='1.0'?>\n<!-- a -->\n<svg></svg>", "image/svg+xml"],
    ["content/a.mp4", "video", "0000ftypisom", "video/mp4"],
    ["content/a.webm", "video", Buffer.from("1a45dfa3", "hex"), "video/webm"],
    ["content/a.py", "code", "print(1)", "text/plain"],
  ])("knows what %s is by its bytes", async (file, kind, bytes, mediaType) => {
    const at = await folder({ "agent.yaml": content(file, kind), [file]: bytes });
    const [first] = (await readAgent(at)).files;
    expect(first).toMatchObject({ path: file, mediaType });
  });

  it("keeps knowledge within its bounds, and says where it goes over", async () => {
    const large = "x".repeat(499_999);
    const names = Array.from(
      { length: 11 },
      (_, n) => `knowledge/${String(n).padStart(2, "0")}.md`,
    );
    const at = await folder({
      "agent.yaml": "name: Ada\n",
      ...Object.fromEntries(names.map((name) => [name, large])),
    });
    expect(await mistakes(at)).toEqual([
      "guide/knowledge/10.md : With knowledge/10.md the knowledge has 5.5 MB. Keep at most 5 MB.",
    ]);
  });

  it("explains a folder that holds no agent", async () => {
    await expect(readAgent(join(root, "nowhere"))).rejects.toMatchObject({ code: "not_found" });
    const strange = await folder({ "agent.yaml": "name: Ada" }, "My Agent");
    const error: unknown = await readAgent(strange).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: "invalid_input",
      what: '"My Agent" cannot name an agent.',
    });
    for (const bytes of ["", "# nothing\n", "hello\n", "- a\n", Buffer.from([0xff, 0xfe])])
      expect(await mistakes(await folder({ "agent.yaml": bytes }))).toEqual([
        expect.stringMatching(/^1 :/),
      ]);
  });

  it("refuses a file that would take forever to parse", async () => {
    const deep = `name: ${"[".repeat(100_000)}`;
    expect(await mistakes(await folder({ "agent.yaml": deep }))).toEqual([
      "1 name: This is nested too deep. Write it flatter.",
    ]);
    const long = Array.from({ length: 6_000 }, (_, n) => `key_${n}: x`).join("\n");
    expect(await mistakes(await folder({ "agent.yaml": long }))).toEqual([
      expect.stringMatching(/^1 : This file has 71 KB in 6,000 lines\. Keep it below/),
    ]);
  });

  it("takes the path of the file for that of its folder", async () => {
    const at = await folder({ "agent.yaml": "name: Ada" });
    expect((await readAgent(join(at, "agent.yaml"))).slug).toBe("guide");
  });
});
