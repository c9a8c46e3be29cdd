import { beforeAll, it } from "vitest";
import { lintPlanted } from "./planted-tree.ts";
import type { PlantedTree, Boundary } from "./planted-tree.ts";

const entryPoints: Record<string, string> = {
  contract: "@svc/contract/fixtures/full.json",
  "contract/types": "@svc/contract/types",
  "contract/schemas": "@svc/contract/schemas",
  "contract/words": "@svc/contract/words/en.json",
  client: "@svc/client",
  rehearsal: "@svc/rehearsal",
  tools: "@svc/tools/postgres",
  testing: "@svc/server/testing",
  platform: "#platform",
  language: "#language",
  models: "#models",
  "jobs.ts": "#jobs",
  accounts: "#accounts",
  agents: "#agents",
  engagement: "#engagement",
  sessions: "#sessions",
  evaluation: "#evaluation",
  conversation: "#conversation",
  webhooks: "#webhooks",
  followup: "#followup",
  api: "#api",
  live: "#live",
  pipeline: "#pipeline",
  operator: "#operator",
};

const contract = "contract contract/types contract/schemas contract/words";
const ground = `${contract} platform language models`;
const modules = "accounts agents engagement sessions conversation evaluation webhooks followup";

/**
 * A second import table, written by hand, so that a mistake in the table that the lint rule reads
 * fails a test. Every entry point that a row does not name is tried as a violation.
 */
const rows: { part: string; at: string; may: string; mayAsTypes?: string }[] = [
  { part: "contract", at: "contract/src/x.ts", may: "contract/types contract/schemas" },
  { part: "contract/types", at: "contract/src/types/x.ts", may: "" },
  { part: "contract/schemas", at: "contract/src/schemas/x.ts", may: "contract/types" },
  { part: "sdk", at: "sdk/src/x.ts", may: "", mayAsTypes: "contract/types" },
  { part: "sdk/build", at: "sdk/build/x.ts", may: "", mayAsTypes: "contract/types" },
  { part: "client", at: "client/src/x.ts", may: "", mayAsTypes: "contract/types" },
  { part: "console", at: "console/src/x.ts", may: contract },
  { part: "rehearsal", at: "rehearsal/src/x.ts", may: "contract/types" },
  { part: "platform", at: "server/src/platform/x.ts", may: contract },
  { part: "language", at: "server/src/language/x.ts", may: contract },
  { part: "models", at: "server/src/models/x.ts", may: `${contract} platform` },
  { part: "accounts", at: "server/src/accounts/x.ts", may: ground },
  { part: "agents", at: "server/src/agents/x.ts", may: `${ground} accounts` },
  { part: "engagement", at: "server/src/engagement/x.ts", may: `${ground} accounts agents` },
  { part: "sessions", at: "server/src/sessions/x.ts", may: `${ground} accounts agents` },
  {
    part: "evaluation",
    at: "server/src/evaluation/x.ts",
    may: `${ground} accounts agents engagement sessions`,
  },
  {
    part: "conversation",
    at: "server/src/conversation/x.ts",
    may: `${ground} accounts agents engagement sessions`,
  },
  {
    part: "webhooks",
    at: "server/src/webhooks/x.ts",
    may: `${ground} accounts agents engagement sessions conversation evaluation`,
  },
  {
    part: "followup",
    at: "server/src/followup/x.ts",
    may: `${ground} accounts agents engagement sessions conversation evaluation`,
  },
  { part: "api", at: "server/src/api/x.ts", may: `${ground} jobs.ts ${modules}` },
  { part: "live", at: "server/src/live/x.ts", may: `${ground} jobs.ts ${modules}` },
  { part: "pipeline", at: "server/src/pipeline/x.ts", may: `${ground} jobs.ts ${modules}` },
  { part: "operator", at: "server/src/operator/x.ts", may: `${ground} jobs.ts ${modules}` },
  { part: "config.ts", at: "server/src/config.ts", may: `${contract} platform models` },
  { part: "config/", at: "server/src/config/x.ts", may: `${contract} platform models` },
  { part: "jobs.ts", at: "server/src/jobs.ts", may: `platform language models ${modules}` },
  {
    part: "main.ts",
    at: "server/src/main.ts",
    may: `${ground} jobs.ts ${modules} api live pipeline operator`,
  },
  {
    part: "cli.ts",
    at: "server/src/operator/cli.ts",
    may: `${ground} jobs.ts ${modules} api live pipeline operator`,
  },
  {
    part: "testing",
    at: "server/src/testing/x.ts",
    may: `${ground} jobs.ts ${modules} rehearsal tools`,
  },
  { part: "tools", at: "tools/src/x.ts", may: contract },
  { part: "proofs", at: "proofs/src/x.ts", may: `${contract} client rehearsal testing tools` },
  { part: "docs", at: "docs/src/x.ts", may: `${contract} client rehearsal` },
  { part: "examples", at: "examples/src/x.ts", may: `${contract} client rehearsal` },
];

/** For every part one file that imports every entry point, once for a value and once for a type. */
const boundaries: Boundary[] = rows.map(({ part, at, may, mayAsTypes = "" }) => {
  const targets = Object.entries(entryPoints).filter(([target]) => target !== part);
  const lines = targets.map(([target, entryPoint], index) => {
    const free = may.split(" ").includes(target);
    const freeAsTypes = free || mayAsTypes.split(" ").includes(target);
    const mark = freeAsTypes
      ? `//! ${part} may import ${target} as types only: `
      : `//! ${part} may not import ${target}: `;
    return [
      `import { value as v${index} } from "${entryPoint}";${free ? "" : mark}`,
      `import type { Type as T${index} } from "${entryPoint}";${freeAsTypes ? "" : mark}`,
    ].join("\n");
  });
  const all = targets.map((_, index) => `v${index} as T${index}`).join(", ");
  return {
    name: `${part} imports`,
    rule: "svc(imports)",
    says: "",
    files: { [at]: `${lines.join("\n")}\nexport const all: unknown[] = [${all}];` },
  };
});

let tree: PlantedTree;
beforeAll(async () => {
  tree = await lintPlanted(boundaries);
}, 60_000);

it.each(boundaries)("$name what it may, and nothing else", (boundary) =>
  tree.expectCaught(boundary),
);

it("reports nothing else", () => tree.expectNothingElse());

it("catches nothing with the rules off", () => tree.expectNothingWithoutRules());
