import { firstThenFallback, jsonIn } from "#models";
import type { FirstAndFallback, LanguageModel, ModelRequest } from "#models";
import { parseJson } from "#platform";
import { ENGLISH_TEXTS, isUntranslated, textsIn, wordProblem } from "./check-words.ts";

export interface DraftRequest {
  models: FirstAndFallback<LanguageModel>;
  /** Of the language to draft. */
  code: string;
  /** Whose voice it is. */
  agent: { name: string; brand: string; persona?: string | undefined };
  /** The texts that the language has already. */
  texts: ReadonlyMap<string, string>;
  signal: AbortSignal;
}

/** Texts that passed every check, and why others did not. */
export interface Drafts {
  texts: Map<string, string>;
  faults: Map<string, string>;
}

/** Sections that are asked for together. The first names buttons that others speak of. */
const TOGETHER = [
  ["call"],
  ["spoken", "notice", "page", "form"],
  ["cards"],
  ["microphone", "content", "preview"],
  ["mail"],
  ["person"],
];

/** The texts that are missing, in the groups in which a model is asked for them. */
export function draftGroups(texts: ReadonlyMap<string, string>): string[][] {
  const missing = [...ENGLISH_TEXTS.keys()].filter((path) => !texts.has(path));
  const sectionOf = (path: string): string => path.split(".", 1)[0]!;
  const others = [...new Set(missing.map(sectionOf))].filter(
    (section) => !TOGETHER.flat().includes(section),
  );
  return [...TOGETHER, others]
    .map((sections) => missing.filter((path) => sections.includes(sectionOf(path))))
    .filter((group) => group.length > 0);
}

/** Has a model translate some of our texts. It is told once what does not fit. */
export async function draftWords(request: DraftRequest, paths: string[]): Promise<Drafts> {
  return firstThenFallback(request.models, async (model) => {
    const messages: ModelRequest["messages"] = [
      { role: "system", content: SYSTEM },
      { role: "user", content: JSON.stringify(questionOf(request, paths)) },
    ];
    const ask = async (): Promise<{ text: string; drafts: Drafts }> => {
      const { text } = await model.ask({
        messages,
        schema: schemaOf(paths),
        signal: request.signal,
      });
      return { text, drafts: checked(text, paths, request.texts) };
    };
    const first = await ask();
    if (first.drafts.faults.size === 0) return first.drafts;
    const reasons = [...first.drafts.faults].map(([path, why]) => `- ${path}: ${why}`);
    messages.push(
      { role: "assistant", content: first.text },
      {
        role: "user",
        content: `Some texts do not fit:\n${reasons.join("\n")}\nAnswer again with the whole JSON object and nothing else.`,
      },
    );
    const { drafts: second } = await ask();
    // What was right the first time is kept where the second try has spoilt it.
    for (const [path, text] of first.drafts.texts)
      if (second.faults.delete(path)) second.texts.set(path, text);
    return second;
  });
}

const SYSTEM = `You translate the texts of a website's demo agent, an AI guide that visitors talk with.

You get JSON: the language, whose agent it is, and English texts under their keys. Answer with a JSON object that has the same keys, each with its text in that language.
- Write what a native speaker would write on a good website: short, plain, polite to a stranger, and fit to be spoken aloud where the key begins with "spoken.". Take the agent's manner into account.
- Keep every placeholder such as {brand} exactly as it is, and add none. Put it where the grammar wants it, and word the sentence so that it fits any name, gender or number.
- Names of products and browsers stay as they are. Everything else is translated.
- "talk" is the label of the button that begins a call by voice. Texts that tell the visitor to press it name it in exactly these words.
- Of the keys under "spoken." only the greeting may be a question.`;

function questionOf({ code, agent, texts }: DraftRequest, paths: string[]): object {
  const talk = texts.get("call.talk");
  return {
    language: code,
    name: new Intl.DisplayNames("en", { type: "language" }).of(code),
    agent,
    ...(talk !== undefined && { talk }),
    texts: Object.fromEntries(paths.map((path) => [path, ENGLISH_TEXTS.get(path)])),
  };
}

function schemaOf(paths: string[]): Record<string, unknown> {
  return {
    type: "object",
    properties: Object.fromEntries(paths.map((path) => [path, { type: "string" }])),
    required: paths,
    additionalProperties: false,
  };
}

function checked(answer: string, paths: string[], known: ReadonlyMap<string, string>): Drafts {
  const drafts: Drafts = { texts: new Map(), faults: new Map() };
  const written = new Map(textsIn(readObject(answer)));
  const all = new Map([...written, ...known]);
  for (const path of paths) {
    const text = written.get(path)?.trim().toWellFormed();
    const fault =
      text === undefined
        ? "This is missing. Write a text."
        : (wordProblem(path, text, all) ??
          (isUntranslated(path, text) ? "This is still English. Translate it." : undefined));
    if (fault === undefined) drafts.texts.set(path, text!);
    else drafts.faults.set(path, fault);
  }
  return drafts;
}

/** Nested objects are read too: some models take the dots of a key for levels. */
function readObject(answer: string): unknown {
  try {
    return parseJson(jsonIn(answer));
  } catch {
    return {};
  }
}
