/** What a site's robots.txt says to us (RFC 9309). */
export interface Robots {
  /** @param path with its query, as it is sent */
  allows(path: string): boolean;
  crawlDelaySecs: number | undefined;
  sitemaps: string[];
}

/** The name under which robots.txt may address us. */
export const ROBOT_NAME = "svc-agents";

interface Group {
  names: string[];
  rules: { isAllowed: boolean; pattern: string }[];
  delaySecs?: number;
}

export function readRobots(text: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, key, value] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const word = key.toLowerCase();
    if (word === "sitemap") sitemaps.push(value);
    else if (word === "user-agent") {
      if (!isNaming) groups.push({ names: [], rules: [] });
      groups.at(-1)!.names.push(value.toLowerCase());
    } else if (word === "crawl-delay") {
      const delaySecs = Number(value);
      if (delaySecs >= 0 && groups.length > 0) groups.at(-1)!.delaySecs = delaySecs;
    } else if ((word === "allow" || word === "disallow") && value !== "")
      groups.at(-1)?.rules.push({ isAllowed: word === "allow", pattern: normalPath(value) });
    if (word !== "sitemap") isNaming = word === "user-agent";
  }
  const named = groups.filter(({ names }) => names.includes(ROBOT_NAME));
  const ours = named.length > 0 ? named : groups.filter(({ names }) => names.includes("*"));
  const rules = ours
    .flatMap((group) => group.rules)
    // The longest pattern decides, and of two that are as long the one that allows.
    .toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
    );
  return {
    allows: (path) => rules.find(({ pattern }) => matches(pattern, path))?.isAllowed ?? true,
    crawlDelaySecs: ours.flatMap(({ delaySecs }) => delaySecs ?? [])[0],
    sitemaps,
  };
}

/** A path in the spelling that requests have. */
function normalPath(pattern: string): string {
  const url = URL.parse(pattern, "http://x");
  return url === null ? pattern : url.pathname + url.search;
}

/** `*` stands for anything, `$` for the end. No regular expression: a pattern with many `*` would take one forever. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    if (isWhole && index === parts.length - 1)
      return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
