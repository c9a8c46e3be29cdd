/** Keeps something that is committed twice, or that names something elsewhere, from drifting apart. */
export interface DriftCheck {
  name: string;
  /** Each in a sentence or two: what drifted, and what to do. */
  problems(): string[];
  /** What was looked at, with counts: a check that looks at nothing must show. */
  summary(): string;
  /** Makes again what can be made. */
  write?(): void;
}
