import { expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "../app-error.ts";
import { createLog } from "./log.ts";

const away = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });

function logUnderTest(): { log: ReturnType<typeof createLog>; lines: Record<string, unknown>[] } {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void =>
    void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = createLog(
    "info",
    { write },
    {
      about: { role: "pipeline", instance: "work-1" },
      isDatabaseAway: (error) => error === away,
    },
  );
  return { log, lines };
}

// P1
test("an outage of the database is two lines, whatever fails meanwhile", async () => {
  const { log, lines } = logUnderTest();
  log.warn({ err: away, sweep: "deadlines" }, "a sweep failed");
  for (let second = 0; second < 30; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    log.warn({ err: away, sweep: "deadlines" }, "a sweep failed");
    log.child({ request: 7 }).error({ err: wrapped() }, "not available");
  }
  expect(lines).toMatchObject([
    { msg: "the database does not answer", first: "a sweep failed", sweep: "deadlines" },
  ]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(lines[1]).toMatchObject({
    level: "warn",
    msg: "the database answers again",
    secs: 30,
    leftOut: 60,
    messages: { "a sweep failed": 30, "not available": 30 },
  });
  log.warn({ err: away }, "a sweep failed");
  expect(lines[2]).toMatchObject({ msg: "the database does not answer" });
  expect(lines).toHaveLength(3);
});

test("a database that refuses connections is an outage too", () => {
  const { log, lines } = logUnderTest();
  const refused = Object.assign(new Error("no"), { code: "55000", severity: "FATAL" });
  log.warn({ err: refused }, "a sweep failed");
  log.warn({ err: refused }, "a sweep failed");
  log.warn({ err: Object.assign(refused, { severity: "ERROR" }) }, "a sweep failed");
  expect(lines.map(({ msg }) => msg)).toEqual(["the database does not answer", "a sweep failed"]);
});

test("every other line is printed during an outage", () => {
  const { log, lines } = logUnderTest();
  log.warn({ err: away }, "a sweep failed");
  log.error({ err: new Error("ours") }, "request failed");
  log.warn({ count: 1 }, "visitors of dead processes are lost");
  log.warn("stopping at once");
  log.info({ err: away }, "starting");
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the database does not answer",
    "request failed",
    "visitors of dead processes are lost",
    "stopping at once",
    "starting",
  ]);
});

test("every line names the role and the instance", () => {
  const { log, lines } = logUnderTest();
  log.info("started");
  log.child({ request: 7 }).warn({ err: away }, "not available");
  for (const line of lines) expect(line).toMatchObject({ role: "pipeline", instance: "work-1" });
});

function wrapped(): AppError {
  return new AppError("unavailable", { what: "It is.", why: "So.", fix: "Wait." }, { cause: away });
}
