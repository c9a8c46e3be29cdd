import type { Clock } from "#platform";
import { Reply } from "./reply.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** The agent's replies, one at a time. */
export class TurnQueue {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  /** Running or waiting. */
  readonly #replies = new Set<Reply>();
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock, onIdle: () => void) {
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  get underWay(): Reply | undefined {
    const [first] = this.#replies;
    return first;
  }

  /** Resolves when all replies are done, including failed ones. */
  get done(): Promise<void> {
    return this.#last;
  }

  /** Runs the reply when those before it are done. */
  add(run: (reply: Reply) => Promise<void>, visitorTurn?: SpokenTurn | "typed"): Promise<void> {
    const reply = new Reply(this.#clock.monotonicMs(), visitorTurn);
    this.#replies.add(reply);
    const turn = this.#last
      .then(() => run(reply))
      .finally(() => {
        this.#replies.delete(reply);
        if (this.#replies.size === 0) this.#onIdle();
      });
    // The caller receives the failure; the next reply runs all the same.
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Interrupts all of them: a barge-in, or the visitor has left. */
  interrupt(): void {
    for (const reply of this.#replies) reply.interrupt();
  }
}
