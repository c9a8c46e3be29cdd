import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import schema from "@svc/contract/agent.schema.json" with { type: "json" };
import { AppError } from "#platform";
import { agentFolder } from "./file/agent-folder.ts";
import { slugOf } from "./file/read-agent.ts";

/** The agent that demonstrates Svc itself: what a new folder starts with, and what development is seeded with. */
export const EXAMPLE_AGENT: string = fileURLToPath(new URL("example", import.meta.url));

/** Writes the example into a folder, with the schema that editors complete it from. Never overwrites. */
export async function initAgent(at: string, shown: string = at): Promise<string[]> {
  slugOf(at);
  const example = agentFolder(EXAMPLE_AGENT);
  const paths = [...(await example.list(".")), "agent.schema.json"];
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
    const bytes =
      path === "agent.schema.json"
        ? `${JSON.stringify(schema, null, 2)}\n`
        : await readFile(join(EXAMPLE_AGENT, path));
    await writeFile(join(at, path), bytes, { flag: "wx" });
  }
  return paths;
}
