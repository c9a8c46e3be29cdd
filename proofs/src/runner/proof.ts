/**
 * A proof: one stage (a database, a server, a browser) and the claims that are judged on it. Each
 * file directly in proofs/src has one as its default export.
 */
export interface Proof<Stage = unknown> {
  /** Folders and files of the product, from the repository's root: a change there runs these claims. */
  covers: string[];
  /** Starts what the claims share. What it hands to `onEnd` is cleaned up after the last claim. */
  open?(tools: Tools): Promise<Stage>;
  claims: Record<string, Claim<Stage>>;
}

/** One promise, found by its key wherever it lives: `npm run prove <claim>`. */
export interface Claim<Stage = unknown> {
  /** One sentence, as the README gives it. */
  promise: string;
  /** What the figure must reach: "0 lost", "≥ 0.6 of bare pg". */
  bound: string;
  /**
   * `gate`: deterministic and at most 5 s at its small size, so `.ci/run` checks it with every change.
   * `nightly`: processes are killed, time is measured, sound is played, or it takes longer.
   */
  tier: "gate" | "nightly";
  /** More time than usual (25 s, 600 s with `--full`). */
  timeLimitSecs?: { quick?: 90 | 300; full?: 2700 | 3600 };
  /** Names that this claim had before it was merged with others. */
  formerly?: string[];
  prove(tools: Tools, stage: Stage): Promise<Outcome>;
  /** What `--live` runs instead: against the model that the shell names. It promises nothing and is never recorded. */
  live?(tools: Tools): Promise<Outcome>;
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

/** `gate` in `.ci/run`, `quick` by default, `full` with `--full`; `live` has no size of its own. */
export type Size = "gate" | "quick" | "full" | "live";

/** For models that are slow, and all talks one by one. */
const LIVE_SECS = 6 * 3_600;

export interface Tools {
  /** The real size is wanted, not the usual one. */
  full: boolean;
  /** Chooses by the size that is wanted. Without a value for the gate, the usual one serves. */
  sized<T>(values: { gate?: T; quick: T; full: T }): T;
  /** What every random choice starts from. Fixed in the gate, random nightly, replayed by SVC_SEED. */
  seed: number;
  say(line: string): void;
  /** Prints how far the claim is, at most every few seconds. */
  progress(done: number, total: number, what: string): void;
  /** Time left for measuring. Stop at 0 and report the size reached: the runner ends what overruns. */
  timeLeftMs(): number;
  /** Registers a cleanup. Cleanups run in reverse order, however the claim ends. */
  onEnd(clean: () => unknown): void;
}

/** Ties the claims to the type of their stage. */
export function defineProof<Stage = undefined>(proof: Proof<Stage>): Proof<Stage> {
  return proof;
}

export function limitSecs({ timeLimitSecs }: Claim<never>, size: Size): number {
  if (size === "live") return LIVE_SECS;
  return size === "full" ? (timeLimitSecs?.full ?? 600) : (timeLimitSecs?.quick ?? 25);
}
