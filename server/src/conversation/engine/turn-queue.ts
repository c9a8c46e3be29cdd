import type { Clock } from "#platform";
import { Reply } from "./reply.ts";
import type { SpokenTurn } from "./spoken-turns.ts";

/** What the agent has to do, one thing after the other. */
export class TurnQueue {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  /** Under way or waiting for their turn. */
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

  /** Resolves when all of it is done, whatever came of it. */
  get done(): Promise<void> {
    return this.#last;
  }

  /** Runs when those before it are done. */
  add(run: (reply: Reply) => Promise<void>, visitorTurn?: SpokenTurn | "typed"): Promise<void> {
    const reply = new Reply(this.#clock.monotonicMs(), visitorTurn);
    this.#replies.add(reply);
    const turn = this.#last
      .then(() => run(reply))
      .finally(() => {
        this.#replies.delete(reply);
        if (this.#replies.size === 0) this.#onIdle();
      });
    // Who asked for the turn is told of its failure; the next one takes place all the same.
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** The visitor has cut in, or is gone. */
  cut(): void {
    for (const reply of this.#replies) reply.cut();
  }
}
