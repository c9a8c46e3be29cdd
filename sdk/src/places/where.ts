const KEY = "svc-place";

/** Whether a path or an address is that of this page. What it does not name, such as a query, may be anything. */
export function isHere(url: string, here: Pick<Location, "href"> = location): boolean {
  const to = new URL(url, here.href);
  const at = new URL(here.href);
  const same = (part: "search" | "hash"): boolean => !to[part] || to[part] === at[part];
  return (
    url === "" ||
    (to.origin === at.origin && bare(to) === bare(at) && same("search") && same("hash"))
  );
}

function bare({ pathname }: URL): string {
  return pathname.replace(/(?:\/|\/index\.html?)$/, "");
}

/** What a page of this tab made of a cue: it was taken up there, or the visitor was sent to the next page for it. */
export function markOf(cue: string): "taken" | "sent" | undefined {
  try {
    const [known, how] = (sessionStorage.getItem(KEY) ?? "").split(" ");
    return known === cue ? (how as "taken" | "sent") : undefined;
  } catch {
    return undefined; // Storage is blocked, and then no call goes on to the next page.
  }
}

export function setMark(cue: string, isSent: boolean): void {
  try {
    sessionStorage.setItem(KEY, `${cue} ${isSent ? "sent" : "taken"}`);
  } catch {
    // As above.
  }
}
