import { AppError } from "#platform";
import type { Finding } from "./doctor-checks.ts";

/** Settings that a check looks at; "half" where they have a mistake, which the configuration's own check tells. */
export function configured<Settings>(read: () => Settings): Settings | "half" {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return "half";
    throw error;
  }
}

export const NEEDS_CONFIGURATION: Finding = { state: "skip", says: "needs the configuration" };
