import { AppError } from "#platform";
import type { Operator } from "../operator.ts";

/** One thing the doctor looks at. It may throw: that is a finding too. */
export interface Check {
  name: string;
  /** Looked at only when the database answers. */
  needsDatabase: boolean;
  look(operator: Operator): Promise<Finding>;
}

export interface Finding {
  state: "ok" | "warn" | "fail" | "skip";
  /** What was found, in a sentence without its full stop. */
  says: string;
  /** The remedy, if the check is not ok. */
  fix?: string | undefined;
  /** Where it was measured together with others; otherwise how long the look took. */
  tookMs?: number;
}

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

/** An address without what may be a secret in it. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}
