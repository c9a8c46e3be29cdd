/** A longer path is not kept: nobody reads it in a table, and it is more likely to hold what names a person. */
const MAX_PATH_CHARACTERS = 200;
/** Holds every origin and the longest path that is kept. Reading more would cost time without changing the name. */
const READ_CHARACTERS = 4_096;
/** Digits are ids and dates, an @ is an address, and no word is this long without a break: it is a token. */
const IDENTIFYING = /[\p{Nd}@]|[^-_.~ ]{24,}/u;

/**
 * The name under which a page is counted: its origin and path. Each part of the path that looks like
 * an id, a mail address or a token becomes `…`, because the counts must not name anybody.
 */
export function pageName(origin: string, path: string): string {
  if (path.length > MAX_PATH_CHARACTERS) return `${origin}/…`;
  const parts = path.split("/").map((part) => {
    const text = decoded(part);
    return text === undefined || IDENTIFYING.test(text) ? "…" : text;
  });
  return `${origin}/${parts.filter((part) => part !== "").join("/")}`;
}

/** The same of an address as a browser reports it, with its query and fragment; undefined for what is no web address. */
export function pageNameOf(address: string): string | undefined {
  const { origin, pathname, protocol } = URL.parse(address.slice(0, READ_CHARACTERS)) ?? {
    protocol: "",
  };
  return /^https?:$/.test(protocol) ? pageName(origin!, pathname!) : undefined;
}

/** Undefined for what cannot be decoded or shown. */
function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return /[\p{C}\p{Zl}\p{Zp}/]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
