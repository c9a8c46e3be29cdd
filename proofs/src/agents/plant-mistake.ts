import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "@svc/tools/random";
import type { AgentFolder } from "./agent-files.ts";
import type { PlantedMistake } from "./planted-mistakes.ts";
import { writeFolder } from "./write-folder.ts";
import { writeYaml } from "./write-yaml.ts";
import type { WrittenYaml } from "./write-yaml.ts";

/** Writes a good agent with one mistake in it. Returns the line at which it must be told. */
export async function plantMistake(
  at: string,
  good: AgentFolder,
  mistake: PlantedMistake,
  random: Random,
): Promise<number> {
  const { field, at: place = field, below = 0 } = mistake;
  const file = "leftOut" in mistake ? leftOut(good.file, field) : good.file;
  const yaml = writeYaml(file, {
    random,
    ...("raw" in mistake && { raw: { [field]: mistake.raw } }),
    ...("key" in mistake && { renamed: { [place]: mistake.key } }),
    // One line for each text, so that the line can be written anew as a whole.
    ...("line" in mistake && { oneLine: true }),
  });
  const line = "leftOut" in mistake ? lineAround(yaml, field) : yaml.lineOf(place);
  if ("line" in mistake) {
    yaml.lines.splice(line - 1, 1, ...[mistake.line(yaml.lines[line - 1]!)].flat());
  }
  await writeFolder(at, yaml.lines.join("\n"), good.files);
  if ("bytes" in mistake) {
    const path = join(at, mistake.file);
    await rm(path);
    if (mistake.bytes === "link out of the folder") await symlink("/etc/hostname", path);
    else if (mistake.bytes !== undefined) await writeFile(path, mistake.bytes);
  }
  return line + below;
}

/** Of what is missing, the line of the thing that misses it. */
function lineAround(yaml: WrittenYaml, field: string): number {
  const around = field.replace(/\.?[^.]*$/, "");
  return around === "" ? yaml.lines.findIndex((line) => /^\w/.test(line)) + 1 : yaml.lineOf(around);
}

function leftOut<T extends object>(map: T, field: string): T {
  const [, key = "", rest] = /^(\w+|\[\d+\])\.?(.*)$/.exec(field)!;
  const name = key.replace(/[[\]]/g, "");
  const copy = structuredClone(map) as Record<string, unknown>;
  if (rest === "") delete copy[name];
  else copy[name] = leftOut(copy[name] as object, rest!);
  return copy as T;
}
