import { AppError } from "../app-error.ts";
import { readTarget } from "./target.ts";
import type { TargetRules } from "./target.ts";

/**
 * The address as it is stored and later sent to, or an error that says why it cannot be one. It
 * asks no DNS: where a name leads is judged at each request, since it may change between them.
 */
export function checkAddress(address: string, rules: TargetRules): string {
  const read = readTarget(address, rules);
  if ("problem" in read) throw new AppError("invalid_input", read.problem);
  return read.target.origin + read.target.path;
}
