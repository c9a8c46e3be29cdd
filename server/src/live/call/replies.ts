import type { Conversation, ConversationListener } from "#conversation";
import { inSpan } from "#platform";
import type { Clock, Traceparent } from "#platform";
import type { LiveMetrics } from "../metrics.ts";

export interface ReplyTimes {
  firstWordMs: number | undefined;
  totalMs: number;
}

/** Counts the replies that the agent owes, and how long each of them takes. */
export class Replies {
  readonly #clock: Clock;
  #owed = 0;
  #latest: { askedAtMs: number; firstWordMs: number | undefined } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get owed(): number {
    return this.#owed;
  }

  /**
   * The visitor has said something. Call what is returned when the reply is complete: it tells how
   * long it took, unless the visitor cut it, which says nothing about how fast the agent is.
   */
  ask(): () => ReplyTimes | undefined {
    const reply = { askedAtMs: this.#clock.monotonicMs(), firstWordMs: undefined };
    this.#latest = reply;
    this.#owed += 1;
    return () => {
      this.#owed -= 1;
      if (this.#latest !== reply) return undefined;
      return { firstWordMs: reply.firstWordMs, totalMs: this.#since(reply.askedAtMs) };
    };
  }

  /** The agent says something. */
  said(): void {
    if (this.#latest === undefined) return;
    this.#latest.firstWordMs ??= this.#since(this.#latest.askedAtMs);
  }

  #since(atMs: number): number {
    return Math.round(this.#clock.monotonicMs() - atMs);
  }
}

/** Hands what the visitor typed to the conversation, and takes the time of the reply. */
export async function hearText(
  text: string,
  parts: {
    /** Of the turn that it becomes. */
    id: string;
    sessionId: string;
    traceparent: Traceparent;
    conversation: Conversation;
    replies: Replies;
    metrics: LiveMetrics;
    note: ConversationListener["event"];
  },
): Promise<void> {
  const { id, sessionId, traceparent: parent, conversation, replies, metrics, note } = parts;
  const complete = replies.ask();
  await inSpan("svc.turn", { parent, attributes: { "svc.session": sessionId } }, async (span) => {
    try {
      await conversation.hear(text, id);
    } finally {
      const took = complete();
      if (took?.firstWordMs !== undefined) span.setAttribute("first_word_ms", took.firstWordMs);
      if (took !== undefined) {
        metrics.replied(took);
        note("replied", { first_word_ms: took.firstWordMs, total_ms: took.totalMs });
      }
    }
  });
}
