const KEY = "svc-preview";

/** Where storage is blocked, the preview ends with the page. */
let kept: string | undefined;

/**
 * The preview token of this tab, from `#svc_preview=…` in the page's address or from an earlier page of
 * the tab. It is taken out of the address, so that nobody copies or bookmarks it; the rest of the fragment
 * stays, and a router hears nothing of it. Read it whenever it is needed: a visitor who adds it to the
 * address of an open page does not load the page again.
 */
export function previewToken(): string | undefined {
  const { hash, href } = location;
  const [found, before = "", given = "", after] =
    /([#&?/])svc_preview=([^&]*)(&?)/.exec(hash) ?? [];
  try {
    // A broken token is refused as any other that does not work. Without one, a real session would start.
    if (found) sessionStorage.setItem(KEY, (kept = given.slice(0, 200) || "none"));
    else kept ??= sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    // As above.
  }
  try {
    if (found) {
      const rest = hash.replace(found, after ? before : "");
      history.replaceState(history.state, "", href.slice(0, -hash.length) + rest);
    }
  } catch {
    // A page without an address of its own.
  }
  return kept;
}
