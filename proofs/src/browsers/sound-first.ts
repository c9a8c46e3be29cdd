import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

const BEFORE_OTHERS = -10;

/**
 * Lets a process, and all that it has started, go before others, as a desktop does with whatever makes
 * sound. Else the models that hear and speak beside a browser take the two cores for a moment, and the
 * browser loses what its microphone hears meanwhile.
 */
export function soundFirst(pid: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      setPriority(Number(thread), BEFORE_OTHERS);
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      for (const child of children.split(" ").filter(Boolean)) soundFirst(Number(child));
    }
  } catch {
    // It ended meanwhile, or we may not: all are equal then.
  }
}
