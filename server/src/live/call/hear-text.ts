import { context, trace } from "@opentelemetry/api";
import type { Conversation, ConversationListener } from "#conversation";
import { tracer } from "#platform";
import type { LiveMetrics } from "../metrics.ts";
import type { Replies } from "./replies.ts";

/** Hands what the visitor typed to the conversation, and takes the time of the reply. */
export async function hearText(
  text: string,
  parts: {
    sessionId: string;
    conversation: Conversation;
    replies: Replies;
    told: LiveMetrics;
    note: ConversationListener["event"];
  },
): Promise<void> {
  const { sessionId, conversation, replies, told, note } = parts;
  const complete = replies.ask();
  const span = tracer.startSpan("svc.turn", { attributes: { "svc.session": sessionId } });
  try {
    await context.with(trace.setSpan(context.active(), span), () => conversation.hear(text));
  } finally {
    const took = complete();
    if (took?.firstWordMs !== undefined) span.setAttribute("first_word_ms", took.firstWordMs);
    span.end();
    if (took !== undefined) {
      told.replied(took);
      note("replied", { first_word_ms: took.firstWordMs, total_ms: took.totalMs });
    }
  }
}
