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
  const own = url && (await fetchWords(url).catch(() => undefined));
  // Something else may have answered in the place of the words.
  if (own && own.cards) return { strings: own.call, later: async () => own };
  const [base] = language.split("-");
  return loadChunk(isBuiltIn(base!) ? `strings-${base!}` : "strings-en");
}

/** For a language that is not built in. */
async function fetchWords(url: string): Promise<Words> {
  return (await fetch(url, { credentials: "omit" })).json() as Promise<Words>;
}

/** A chunk together with the words that it shows. */
export function loadWorded<Name extends keyof CallChunks>(
  name: Name,
  texts: Texts,
): Promise<[CallChunks[Name], LaterWords]> {
  return Promise.all([loadChunk(name), texts.later()]);
}

/** Uses the cards once they are there. Where they cannot be loaded, the call goes on without. */
export function withCards(
  texts: Texts,
  use: (chunk: CallChunks["cards-and-endings"], words: CardWords) => void,
): void {
  loadWorded("cards-and-endings", texts)
    .then(([chunk, { cards }]) => use(chunk, cards))
    .catch(() => {});
}
