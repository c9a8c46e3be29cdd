import { fold, UNSPACED } from "#language";

/** What sessions can be chosen by beside words; each is a term that no word looks like. */
export interface Facets {
  account?: number | undefined;
  agent?: string | undefined;
  test?: boolean | undefined;
  status?: string | undefined;
  verdict?: string | undefined;
  language?: string | undefined;
  mode?: string | undefined;
  device?: string | undefined;
  entry?: string | undefined;
  delivery?: string | undefined;
  /** The key of a question that was answered. */
  answered?: string | undefined;
  /** The key of an insight that was found. */
  insight?: string | undefined;
}

/** More different words than two hours of talk have. */
const MAX_WORDS = 5_000;
const MAX_CHARACTERS = 60;
/** A key of a question may be long; a term of PostgreSQL has at most 2,046 bytes. */
const MAX_FACET_CHARACTERS = 200;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "v");

/**
 * The words of texts, each once, as they are looked up. Scripts without spaces between words are cut
 * into pairs of characters: a single one would be found in nearly every session.
 */
export function wordTerms(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const words = fold(text).trim().split(" ");
    for (const [at, word] of words.entries()) {
      if (word === "") continue;
      const next = words[at + 1] ?? "";
      const isPair = IS_UNSPACED.test(word) && IS_UNSPACED.test(next);
      found.add(isPair ? word + next : word.slice(0, MAX_CHARACTERS));
      if (found.size >= MAX_WORDS) return [...found];
    }
  }
  return [...found];
}

/** A word has no sign in it, so none is a facet. */
export function facetTerms(facets: Facets): string[] {
  return Object.entries(facets).flatMap(([name, value]) =>
    value === undefined ? [] : [`=${name}:${value}`.slice(0, MAX_FACET_CHARACTERS)],
  );
}

/** A shorter word is looked up as it is: too many begin with it. */
const MIN_BEGINNING = 4;

/**
 * A PostgreSQL `tsquery`: every facet, one of the accounts, and every word of the text. A word of four
 * letters or more finds those, too, that begin with it.
 */
export function termsQuery({
  facets,
  accounts = [],
  text = "",
}: {
  facets: Facets;
  accounts?: readonly number[] | undefined;
  text?: string | undefined;
}): string {
  const words = wordTerms([text]).map((word) => {
    const isBeginning = word.length >= MIN_BEGINNING || IS_UNSPACED.test(word);
    return isBeginning ? `${quoted(word)}:*` : quoted(word);
  });
  const ofAccounts = accounts.flatMap((account) => facetTerms({ account }).map(quoted));
  const whose = ofAccounts.length === 0 ? [] : [`(${ofAccounts.join(" | ")})`];
  return [...facetTerms(facets).map(quoted), ...whose, ...words].join(" & ");
}

function quoted(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
