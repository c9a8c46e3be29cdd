import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type * as z from "zod";
import { readValue } from "./read-value.ts";

/** A script, under the name of its file. */
export interface Named<T> {
  name: string;
  script: T;
}

/** Every script of a folder, in the order of their names. A folder that is not there holds none. */
export function readScripts<T>(folder: string, schema: z.ZodType<T>): Named<T>[] {
  return filesOf(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      try {
        return { name, script: readValue(schema, parse(readFileSync(file, "utf8"))) };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`${file}: ${why}`, { cause: error });
      }
    });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
