import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Claim } from "./claims.ts";

const GUIDE = join(import.meta.dirname, "../../../docs/guide/install.md");

/** Each sample of the guide runs as it stands. */
export function documentedClaims(): Claim[] {
  const samples = [...readFileSync(GUIDE, "utf8").matchAll(/```js\n(.*?)```/gs)];
  return samples.map(([, code = ""]) => ({
    of: "decided",
    says: `the guide's sample runs: ${code.split("\n", 1)[0]}`,
    see: `${code}; return true;`,
  }));
}
