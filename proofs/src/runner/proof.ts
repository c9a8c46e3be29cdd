import { basename } from "node:path";
import { closingLine } from "./closing-line.ts";
import { seconds } from "./seconds.ts";

/** What a proof says of itself before it starts. Its name is its file's. */
export interface About {
  /** The promise in one sentence, as the README gives it. */
  promise: string;
  /** What the figure must reach, without brackets: "0 lost", "≥ 0.6 of bare pg". */
  bound: string;
  /**
   * More time than usual (25 s, 600 s with `--full`): 90 s where processes are killed, a browser
   * runs, speech is played, or few rounds would scatter.
   */
  timeLimitSecs?: { quick?: 90; full?: 2700 };
}

export interface Outcome {
  /** What was measured, in a few words: "0 lost of 1,204,331". */
  figure: string;
  ok: boolean;
  /** The size reached: "20,000 histories". Kept with the results of `--full`. */
  size?: string;
  /** What it ran on beside Node: "PostgreSQL 18.4". Kept with the results of `--full`. */
  engines?: string[];
}

export interface Tools {
  /** The real size is wanted, not the one for CI. */
  full: boolean;
  say(line: string): void;
  /** Says how far it is, at most every few seconds. */
  progress(done: number, total: number, what: string): void;
  /** Time left for measuring. Stop at 0 and report the size reached: the runner ends what overruns. */
  timeLeftMs(): number;
  /** Cleans up, the last one first, however the proof ends. */
  onEnd(clean: () => unknown): void;
}

/** What a proof tells the runner beside its output. */
export type Note = { about: About } | { outcome: Pick<Outcome, "size" | "engines"> };

const PROGRESS_EVERY_MS = 5_000;

/** Runs the proof, cleans up, prints the closing line and ends the process. */
export async function proof(
  about: About,
  prove: (tools: Tools) => Promise<Outcome>,
): Promise<void> {
  const name = basename(process.argv[1] ?? "", ".ts");
  const full = process.argv.includes("--full");
  await tell({ about });
  if (process.argv.includes("--describe")) process.exit(0);

  const cleanings: (() => unknown)[] = [];
  let ending = false;

  async function end(outcome: Outcome): Promise<void> {
    // What breaks because things are being cleaned up must not cut the cleaning short.
    if (ending) return;
    ending = true;
    for (const clean of cleanings.toReversed()) {
      try {
        await clean();
      } catch (error) {
        console.error("Cleaning up failed:", error);
      }
    }
    await tell({ outcome });
    console.log(closingLine({ name, bound: about.bound, ...outcome }));
    process.exit(outcome.ok ? 0 : 1);
  }
  function fail(error: unknown): Promise<void> {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    return end({ figure: `failed: ${reason.split("\n", 1)[0]}`, ok: false });
  }
  function stop(signal: string): void {
    // A second signal ends a cleaning that hangs.
    if (ending) process.exit(1);
    void end({ figure: `stopped by ${signal} after ${seconds(performance.now())}`, ok: false });
  }
  process.on("SIGTERM", stop).on("SIGINT", stop);
  // The runner is gone: nobody would end what this proof started.
  process.on("disconnect", () => stop("the end of its runner"));
  process.on("uncaughtException", (error) => void fail(error));

  const limitMs = 1_000 * limitSecs(about, full);
  // The rest is for cleaning up.
  const measuringMs = limitMs - Math.min(limitMs / 5, 30_000);
  let nextProgressAt = PROGRESS_EVERY_MS;
  try {
    const outcome = await prove({
      full,
      say: (line) => console.log(line),
      progress(done, total, what) {
        if (performance.now() < nextProgressAt) return;
        nextProgressAt = performance.now() + PROGRESS_EVERY_MS;
        const elapsed = seconds(performance.now());
        console.log(`${count(done)} of ${count(total)} ${what} after ${elapsed}`);
      },
      timeLeftMs: () => Math.max(0, measuringMs - performance.now()),
      onEnd: (clean) => void cleanings.push(clean),
    });
    await end(outcome);
  } catch (error) {
    await fail(error);
  }
}

export function limitSecs(about: About | undefined, full: boolean): number {
  return full ? (about?.timeLimitSecs?.full ?? 600) : (about?.timeLimitSecs?.quick ?? 25);
}

function tell(note: Note): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    // A runner that is gone must not keep the proof from ending.
    else process.send(note, undefined, undefined, () => resolve());
  });
}

function count(number: number): string {
  return number.toLocaleString("en");
}
