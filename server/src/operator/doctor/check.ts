import { AppError } from "#platform";
import type { Operator } from "../operator.ts";

/** One thing the doctor looks at. It may throw or hang: that is a finding too. */
export interface Check {
  name: string;
  /** Looked at only when the database answers. */
  needsDatabase: boolean;
  /** Loads code, which may block this process for seconds: otherwise time limits of others would pass meanwhile. */
  prepare?(operator: Operator): Promise<void>;
  look(operator: Operator): Promise<Finding>;
  /** The time limit, where `LOOK_WITHIN_MS` is too short. */
  withinMs?: number;
}

export interface Finding {
  state: "ok" | "warn" | "fail" | "skip";
  /** What was found, in a sentence without its full stop. */
  says: string;
  /** The remedy, if the check is not ok. */
  fix?: string | undefined;
  /** Where it was measured together with others; otherwise how long the look took. */
  tookMs?: number;
  /** It failed for something that the schema does not have. */
  lacksSchema?: boolean;
}

/** Two of these, one for the database and one for what needs it, still leave the doctor within 15 s. */
export const LOOK_WITHIN_MS = 7_000;

/** Settings that a check looks at; "half" where they have a mistake, which the configuration's own check tells. */
export function configured<Settings>(read: () => Settings): Settings | "half" {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_input") return "half";
    throw error;
  }
}

export const NEEDS_CONFIGURATION: Finding = { state: "skip", says: "needs the configuration" };

/** An address without what may be a secret in it. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}

/** "1 delivery", "1,204 deliveries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
