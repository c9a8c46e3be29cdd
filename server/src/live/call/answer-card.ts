import type { Conversation, ConversationListener } from "#conversation";
import { AppError } from "#platform";
import type { LiveCardResult } from "@svc/contract/types";
import type { Recorder } from "./recorder.ts";
import type { Screen } from "./screen.ts";

/**
 * What the visitor did with the open card. The conversation hears of an address once it is stored;
 * what is no address comes back to the visitor on the card.
 */
export async function answerCard(
  { card_id: cardId, action, value = "" }: LiveCardResult,
  parts: {
    screen: Screen;
    recorder: Recorder;
    conversation: Conversation;
    note: ConversationListener["event"];
  },
): Promise<void> {
  const { screen, recorder, conversation, note } = parts;
  const { card } = screen;
  // Another one took its place meanwhile.
  if (card?.id !== cardId) return;
  screen.openCard(null);
  note(`card_${action}`, { card: card.kind });
  if (card.kind !== "email" || action === "dismissed") {
    return conversation.settleCard({ cardId, action: "dismissed" });
  }
  try {
    await recorder.confirmEmail(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return screen.openCard({ ...card, prefill: value });
  }
  await conversation.settleCard({ cardId, action: "confirmed", address: value });
}
