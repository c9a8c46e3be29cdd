import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import agentSchema from "@svc/contract/agent.schema.json" with { type: "json" };
import scenarioSchema from "@svc/contract/scenario.schema.json" with { type: "json" };
import tourSchema from "@svc/contract/tour.schema.json" with { type: "json" };
import { AppError } from "#platform";
import { agentFolder } from "./agent-folder.ts";
import { slugOf } from "./read-agent.ts";

/** The agent that demonstrates Svc itself: what a new folder starts with, and what development is seeded with. */
export const EXAMPLE_AGENT: string = fileURLToPath(new URL("../example", import.meta.url));

/** The JSON schemas that editors use for completion. */
export const SCHEMAS: ReadonlyMap<string, object> = new Map<string, object>([
  ["agent.schema.json", agentSchema],
  ["scenario.schema.json", scenarioSchema],
  ["tour.schema.json", tourSchema],
]);

/** Writes the example into a folder, with the schemas that editors complete it from. Never overwrites. */
export async function initAgent(at: string, shown: string = at): Promise<string[]> {
  slugOf(at);
  const example = agentFolder(EXAMPLE_AGENT);
  const paths = [...(await example.list(".")), ...SCHEMAS.keys()];
  const taken = paths.find((path) => existsSync(join(at, path)));
  if (taken !== undefined) {
    throw new AppError("conflict", {
      what: `${join(shown, taken)} is there already.`,
      why: "A new agent never overwrites what somebody has written.",
      fix: "Name a folder that is not there yet, as in `svc agents init agents/<name>`.",
    });
  }
  for (const path of paths) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    const schema = SCHEMAS.get(path);
    const bytes =
      schema === undefined
        ? await readFile(join(EXAMPLE_AGENT, path))
        : `${JSON.stringify(schema, null, 2)}\n`;
    await writeFile(join(at, path), bytes, { flag: "wx" });
  }
  return paths;
}
