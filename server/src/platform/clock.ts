/**
 * Time for modules. What is stored and compared across processes comes from PostgreSQL's clock
 * instead: two machines never agree on the time, one database always agrees with itself.
 */
export interface Clock {
  /** Milliseconds since the epoch. May jump. */
  nowMs(): number;
  /** Milliseconds since some fixed moment. Never goes back: the one for deadlines and gaps. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
