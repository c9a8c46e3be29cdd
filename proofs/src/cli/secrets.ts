import type { Run } from "./svc.ts";

/** Tokens that were printed more than once, or passwords that were printed at all. */
export function leaks(runs: Run[], passwords: readonly string[]): string[] {
  const printed = runs.map(({ out, err }) => out + err).join("\n");
  const counts = new Map<string, number>();
  for (const [token] of printed.matchAll(TOKEN)) counts.set(token, (counts.get(token) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1);
  return [
    ...repeated.map(
      ([token, count]) => `a token was printed ${count} times: ${token.slice(0, 12)}…`,
    ),
    ...passwords
      .filter((password) => printed.includes(password))
      .map((password) => `a password was printed: ${callsThatSay(runs, password)}`),
  ];
}

/** API tokens, preview tokens and webhook secrets: what a program takes for a credential of ours. */
const TOKEN = /\b[a-z]+_[a-z0-9]{2}[0-9A-Za-z]{49}\b|\bwhsec_[0-9A-Za-z+/]{32}/g;

export function tokensIn(runs: Run[]): number {
  return new Set(runs.flatMap(({ out, err }) => (out + err).match(TOKEN) ?? [])).size;
}

function callsThatSay(runs: Run[], text: string): string {
  const calls = runs.filter(({ out, err }) => (out + err).includes(text));
  return calls.map(({ argv }) => `svc ${argv.join(" ")}`).join(", ");
}
