import type { SlideToken, SlideTokenType } from "@svc/contract/types";
import type { LanguageRegistration, ShikiPrimitive } from "@shikijs/primitive";

/** What the scopes of a grammar are on a slide. The longest scope that fits counts. */
const SCOPES: Record<SlideTokenType, string[]> = {
  comment: ["comment", "punctuation.definition.comment"],
  constant: ["constant", "support.constant", "variable.language", "entity.other.attribute-name"],
  function: ["entity.name.function", "support.function", "entity.name.command"],
  keyword: [
    "keyword",
    "storage",
    "entity.name.tag",
    "support.type.property-name",
    "punctuation.support.type.property-name",
  ],
  link: ["markup.underline.link"],
  parameter: ["variable.parameter", "variable.other.env", "meta.object-literal.key"],
  punctuation: ["punctuation", "keyword.operator", "meta.brace"],
  string: ["string", "punctuation.definition.string"],
};

type Grammar = () => Promise<{ default: LanguageRegistration[] }>;

/** Read only where a slide has code in that language. */
const GRAMMARS: Record<string, Grammar> = {
  bash: () => import("@shikijs/langs/bash"),
  c: () => import("@shikijs/langs/c"),
  cpp: () => import("@shikijs/langs/cpp"),
  csharp: () => import("@shikijs/langs/csharp"),
  css: () => import("@shikijs/langs/css"),
  diff: () => import("@shikijs/langs/diff"),
  dockerfile: () => import("@shikijs/langs/dockerfile"),
  go: () => import("@shikijs/langs/go"),
  graphql: () => import("@shikijs/langs/graphql"),
  html: () => import("@shikijs/langs/html"),
  ini: () => import("@shikijs/langs/ini"),
  java: () => import("@shikijs/langs/java"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  jsx: () => import("@shikijs/langs/jsx"),
  kotlin: () => import("@shikijs/langs/kotlin"),
  markdown: () => import("@shikijs/langs/markdown"),
  php: () => import("@shikijs/langs/php"),
  powershell: () => import("@shikijs/langs/powershell"),
  python: () => import("@shikijs/langs/python"),
  ruby: () => import("@shikijs/langs/ruby"),
  rust: () => import("@shikijs/langs/rust"),
  sql: () => import("@shikijs/langs/sql"),
  swift: () => import("@shikijs/langs/swift"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  xml: () => import("@shikijs/langs/xml"),
  yaml: () => import("@shikijs/langs/yaml"),
};

const ALIASES: Record<string, string> = {
  "c#": "csharp",
  "c++": "cpp",
  cjs: "javascript",
  conf: "ini",
  console: "bash",
  cs: "csharp",
  docker: "dockerfile",
  htm: "html",
  js: "javascript",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
};

/** A longer line is data rather than code, and a grammar can take seconds for it. */
const MAX_LINE = 2_000;

/**
 * Says what each piece of code is, so that no browser needs a highlighter. Code in a language that is not known here
 * stays as it is.
 */
export async function highlightCode(
  lines: readonly string[],
  language: string,
): Promise<SlideToken[][]> {
  const name = language.toLowerCase();
  const known = ALIASES[name] ?? name;
  if (!Object.hasOwn(GRAMMARS, known)) return lines.map((line) => [[line]]);
  const { codeToTokensBase } = await import("@shikijs/primitive");
  const tokens = codeToTokensBase(await highlighter(known), lines.join("\n"), {
    lang: known,
    theme: "slide",
    tokenizeMaxLineLength: MAX_LINE,
    // The same code has to give the same slide on a slow machine: without end, and not half of it after 500 ms.
    tokenizeTimeLimit: 0,
  });
  return tokens.map((line) => joined(line.map(({ content, color }) => [content, typeOf(color)])));
}

const highlighters = new Map<string, Promise<ShikiPrimitive>>();

function highlighter(language: string): Promise<ShikiPrimitive> {
  const made = highlighters.get(language) ?? createHighlighter(language);
  highlighters.set(language, made);
  return made;
}

async function createHighlighter(language: string): Promise<ShikiPrimitive> {
  const [{ createShikiPrimitiveAsync }, { createOnigurumaEngine }] = await Promise.all([
    import("@shikijs/primitive"),
    import("@shikijs/engine-oniguruma"),
  ]);
  return createShikiPrimitiveAsync({
    engine: createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined")),
    langs: [GRAMMARS[language]!],
    // A theme whose colours are the types.
    themes: [
      {
        name: "slide",
        fg: "plain",
        bg: "plain",
        settings: Object.entries(SCOPES).map(([type, scope]) => ({
          scope,
          settings: { foreground: type },
        })),
      },
    ],
  });
}

function typeOf(color: string | undefined): SlideTokenType | undefined {
  return color !== undefined && Object.hasOwn(SCOPES, color)
    ? (color as SlideTokenType)
    : undefined;
}

/** Neighbours of one type are one piece, and the space after a piece belongs to it: otherwise a slide has three times as many elements. */
function joined(pieces: [text: string, type: SlideTokenType | undefined][]): SlideToken[] {
  const tokens: SlideToken[] = [];
  for (const [text, type] of pieces) {
    const last = tokens.at(-1);
    if (last !== undefined && (last[1] === type || text.trim() === "")) last[0] += text;
    else tokens.push(type === undefined ? [text] : [text, type]);
  }
  return tokens.length === 0 ? [[""]] : tokens;
}
