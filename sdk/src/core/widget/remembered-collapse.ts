const KEY = "svc-widget";

/** On later pages it stays collapsed until the visitor expands it. */
export function recallCollapse(): boolean {
  try {
    return localStorage.getItem(KEY) === "collapsed";
  } catch {
    return false; // Storage is blocked.
  }
}

/** One key, and only while it is collapsed. */
export function rememberCollapse(isCollapsed: boolean): void {
  try {
    if (isCollapsed) localStorage.setItem(KEY, "collapsed");
    else localStorage.removeItem(KEY);
  } catch {
    // As above: then it is forgotten with the page.
  }
}
