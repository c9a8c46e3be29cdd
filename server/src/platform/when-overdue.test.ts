import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { whenOverdue } from "./when-overdue.ts";

const DUE_MS = 20;

test("what has not come in time is given up, and what has come is not", async () => {
  const [late, came] = [vi.fn<() => void>(), vi.fn<() => void>()];
  whenOverdue(DUE_MS, late);
  whenOverdue(DUE_MS, came)();
  await vi.waitFor(() => expect(late).toHaveBeenCalledOnce(), { timeout: 5_000 });
  expect(came).not.toHaveBeenCalled();
});

test("a process that stood still reads what has come before it gives up", async () => {
  const [late, came] = [vi.fn<() => void>(), vi.fn<() => void>()];
  whenOverdue(DUE_MS, late);
  const stop = whenOverdue(DUE_MS, came);
  // Runs behind the time that is due, as everything that is read from a socket.
  setTimeout(stop, 2 * DUE_MS);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  await delay(3 * DUE_MS);
  expect(late).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(late).toHaveBeenCalledOnce(), { timeout: 5_000 });
  expect(came).not.toHaveBeenCalled();
});
