import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "./observability/log.ts";
import { startUpkeep } from "./upkeep.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("runs each task at once and every hour, also after one that failed", async () => {
  const lines: string[] = [];
  const log = createLog("error", { write: (line) => void lines.push(line) });
  const ran: string[] = [];
  const upkeep = await startUpkeep(
    [
      { run: () => Promise.reject(new Error("no")), failure: "partitions could not be made" },
      { run: async () => ran.push("visits"), failure: "visits could not be forgotten" },
    ],
    log,
  );
  expect(ran).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2 * 3_600_000);
  expect(ran).toHaveLength(3);
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.includes("partitions could not be made"))).toBe(true);
  upkeep.stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(ran).toHaveLength(3);
});
