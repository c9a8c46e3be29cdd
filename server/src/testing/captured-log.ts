import { createLog } from "#platform";
import type { Log } from "#platform";

/** A log that prints everything into memory. */
export interface CapturedLog {
  log: Log;
  /** What was printed, byte for byte. */
  text(): string;
  lines(): Record<string, unknown>[];
}

export function captureLog(): CapturedLog {
  let text = "";
  return {
    log: createLog("debug", { write: (line) => void (text += line) }),
    text: () => text,
    lines: () =>
      text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
