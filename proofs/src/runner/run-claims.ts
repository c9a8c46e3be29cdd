/** Runs claims of one proof in a process of their own: `node run-claims.ts <file> <size> <seed> <claim>…` */
import { pathToFileURL } from "node:url";
import { limitSecs } from "./proof.ts";
import type { Claim, Outcome, Proof, Size, Tools } from "./proof.ts";
import { seconds } from "./table.ts";

/** What the child tells the runner. */
export type Note = { started: string } | { ended: string; outcome: Outcome; tookMs: number };

const PROGRESS_EVERY_MS = 5_000;
/** A claim that overruns its time is ended by the runner; this share of it is kept for cleaning up. */
const CLEANUP_SHARE = 1 / 5;
const MAX_CLEANUP_MS = 30_000;

class Cleanups {
  readonly #all: (() => unknown)[] = [];

  add(clean: () => unknown): void {
    this.#all.push(clean);
  }

  async run(): Promise<void> {
    while (this.#all.length > 0) {
      try {
        await this.#all.pop()?.();
      } catch (error) {
        console.error("Cleaning up failed:", error);
      }
    }
  }
}

const [file = "", sizeName = "quick", seed = "1", ...names] = process.argv.slice(2);
const size = sizeName as Size;
const { default: proof } = (await import(pathToFileURL(file).href)) as { default: Proof };
const ofStage = new Cleanups();
const ofClaim = new Cleanups();
let stage: unknown;
let isStopping = false;
let current = "";

// The runner is gone: nobody else would end what this process started.
process.on("disconnect", () => void stop("the end of its runner"));
process.on("SIGTERM", stop).on("SIGINT", stop);
// An error that nobody awaits is the claim's outcome too, but leaves no state to go on with.
process.on("uncaughtException", (error) => void fail(error));

for (const name of names) {
  const claim = proof.claims[name];
  if (claim === undefined) throw new Error(`${file} has no claim ${name}.`);
  current = name;
  await tell({ started: name });
  const startedAt = performance.now();
  const outcome = await prove(claim);
  await ofClaim.run();
  if (isStopping) break;
  const verdict = ` (${oneLine(claim.bound)}) ${outcome.ok ? "ok" : "short"}`;
  const line = `${name}: ${oneLine(outcome.figure)}${size === "live" ? "" : verdict}`;
  console.log(line);
  await tell({ ended: name, outcome, tookMs: performance.now() - startedAt });
}
if (!isStopping) {
  await ofStage.run();
  process.exit(0);
}

async function prove(claim: Claim): Promise<Outcome> {
  try {
    if (size === "live") return await claim.live!(toolsFor(claim, ofClaim));
    stage ??= await proof.open?.(toolsFor(claim, ofStage));
    return await claim.prove(toolsFor(claim, ofClaim), stage);
  } catch (error) {
    if (isStopping) return { figure: "stopped", ok: false };
    return failed(error);
  }
}

function failed(error: unknown): Outcome {
  console.error(error);
  const reason = error instanceof Error ? error.message : String(error);
  return { figure: `failed: ${reason.split("\n", 1)[0]}`, ok: false };
}

async function fail(error: unknown): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const outcome = failed(error);
  await ofClaim.run();
  await tell({ ended: current, outcome, tookMs: performance.now() });
  await ofStage.run();
  process.exit(1);
}

function toolsFor(claim: Claim, cleanups: Cleanups): Tools {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const limitMs = 1_000 * limitSecs(claim, size);
  const measuringMs = limitMs - Math.min(limitMs * CLEANUP_SHARE, MAX_CLEANUP_MS);
  let nextProgressMs = PROGRESS_EVERY_MS;
  return {
    full: size === "full",
    sized: ({ gate, quick, full }) =>
      size === "full" ? full : size === "gate" ? (gate ?? quick) : quick,
    seed: Number(seed),
    say: (line) => console.log(line),
    progress(done, total, what) {
      if (elapsedMs() < nextProgressMs) return;
      nextProgressMs = elapsedMs() + PROGRESS_EVERY_MS;
      const reached = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
      console.log(`${reached} ${what} after ${seconds(elapsedMs())}`);
    },
    timeLeftMs: () => Math.max(0, measuringMs - elapsedMs()),
    onEnd: (clean) => cleanups.add(clean),
  };
}

async function stop(why: string): Promise<void> {
  // A second signal ends a cleanup that hangs.
  if (isStopping) process.exit(1);
  isStopping = true;
  console.error(`Stopped by ${why}.`);
  await ofClaim.run();
  await ofStage.run();
  process.exit(1);
}

function tell(note: Note): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    // A runner that is gone must not keep the claims from ending.
    else process.send(note, undefined, undefined, () => resolve());
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
