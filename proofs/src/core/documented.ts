import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Claim } from "./claims.ts";

const GUIDES = join(import.meta.dirname, "../../../docs/guide");

/** Each sample of a guide runs as it stands. */
export function documentedClaims(guide: string): Claim[] {
  const samples = [...readFileSync(join(GUIDES, guide), "utf8").matchAll(/```js\n(.*?)```/gs)];
  return samples.map(([, code = ""]) => ({
    of: "decided",
    says: `the guide's sample runs: ${code.split("\n", 1)[0]}`,
    see: `${code}; return true;`,
  }));
}
