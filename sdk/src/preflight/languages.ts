/**
 * The agent's languages in the visitor's order: for each preference the exact code, then the same
 * base language, then a sibling region; after them the rest, in the agent's order.
 */
export function rankLanguages(offered: readonly string[], wanted: readonly string[]): string[] {
  return [...new Set([...matches(offered, wanted), ...offered])];
}

/** The one to speak: the first match, or the agent's default. */
export function chooseLanguage(
  offered: readonly string[],
  wanted: readonly string[],
  fallback: string,
): string {
  return matches(offered, wanted)[0] ?? fallback;
}

function matches(offered: readonly string[], wanted: readonly string[]): string[] {
  return wanted.map((want) => bestMatch(offered, want)).filter((code) => code !== undefined);
}

function bestMatch(offered: readonly string[], want: string): string | undefined {
  const code = String(want).toLowerCase();
  const base = baseOf(code);
  return (
    offered.find((one) => one.toLowerCase() === code) ??
    offered.find((one) => one.toLowerCase() === base) ??
    offered.find((one) => baseOf(one.toLowerCase()) === base)
  );
}

function baseOf(code: string): string {
  return code.split("-")[0]!;
}
