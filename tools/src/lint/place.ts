import { isAbsolute, relative, resolve, sep } from "node:path";
import type { RuleTester } from "oxlint/plugins-dev";
import { parts } from "./import-table.ts";
import type { Part } from "./import-table.ts";

/** The place of a file in the layout. */
export interface Place {
  /** From the repository's root, with `/`. */
  path: string;
  /** The part of the import table it belongs to. */
  part: Part | undefined;
  isTest: boolean;
  /** A module's store, the only place for SQL. */
  isStore: boolean;
}

const root = resolve(import.meta.dirname, "../../..");

export function placeOf(filename: string): Place {
  const path = (isAbsolute(filename) ? relative(root, filename) : filename).replaceAll(sep, "/");
  const isTest = /\.test\.tsx?$/.test(path);
  // `cli.test.ts` stands beside `cli.ts` and shares its row.
  const part = partAt(path.replace(/(\.\w+)?\.test(\.tsx?)$/, "$2"));
  const isStore = part?.kind === "module" && /(^|[/-])store\.ts$/.test(path);
  return { path, part, isTest, isStore };
}

/** The part with the longest path that holds this one. */
export function partAt(path: string): Part | undefined {
  return parts
    .filter((part) => holds(part.at, path))
    .toSorted((a, b) => b.at.length - a.at.length)
    .at(0);
}

export function holds(at: string, path: string): boolean {
  return path === at || path.startsWith(`${at}/`);
}

/** The product's own code in the server: neither a test nor what tests are made from. */
export function isServerCode(place: Place): boolean {
  return holds("server/src", place.path) && !place.isTest && place.part?.kind !== "testing";
}

/** A lint rule of our own, as oxlint's `jsPlugins` takes it. */
export type Rule = Exclude<Parameters<RuleTester["run"]>[1], { createOnce: unknown }>;
