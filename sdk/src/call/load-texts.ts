import type { AgentFacts, CardWords, Words } from "@svc/contract/types";
import type { LaterWords, Texts } from "./call-options.ts";
import { isBuiltIn, loadChunk } from "./load-chunk.ts";
import type { CallChunks } from "./load-chunk.ts";

/** Rejects where not even the English ones can be loaded. */
export async function loadTexts(
  { languages }: Pick<AgentFacts, "languages">,
  language: string,
): Promise<Texts> {
  const url = languages.find(({ code }) => code === language)?.words_url;
  // English is better than no call.
  const own =
    url &&
    (await fetch(url)
      .then((answer): Promise<Words | undefined> => answer.json())
      .catch(() => undefined));
  // Something else may have answered in the place of the words.
  if (own && own.cards) return { strings: own.call, later: async () => own };
  const name = `strings-${language.split("-")[0]!}` as const;
  return loadChunk(isBuiltIn(name) ? name : "strings-en");
}

/** A chunk together with the words that it shows. */
export function loadWorded<Name extends keyof CallChunks>(
  name: Name,
  texts: Texts,
): Promise<[CallChunks[Name], LaterWords]> {
  return Promise.all([loadChunk(name), texts.later()]);
}

/** Uses a chunk once it is there. Where it cannot be loaded, the call goes on without. */
export function withWorded<Name extends keyof CallChunks>(
  name: Name,
  texts: Texts,
  use: (chunk: CallChunks[Name], words: LaterWords) => void,
): void {
  loadWorded(name, texts)
    .then((loaded) => use(...loaded))
    .catch(() => {});
}

export function withCards(
  texts: Texts,
  use: (chunk: CallChunks["cards-and-endings"], words: CardWords) => void,
): void {
  withWorded("cards-and-endings", texts, (chunk, { cards }) => use(chunk, cards));
}
