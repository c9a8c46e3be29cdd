import { readFileSync } from "node:fs";

/** A golden fixture of the contract, so that every example in the OpenAPI file is one that is tested. */
export function fixture<T>(path: string): T {
  const file = new URL(`../../../contract/fixtures/${path}`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
