import type { ConversationOptions } from "../conversation.ts";
import type { DemoPlan } from "../plan/demo-plan.ts";
import type { ToolActions } from "../tools/demo-tools.ts";
import type { Cards } from "./cards.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** Creates the effects of tools on the conversation and on the visitor's screen. */
export function toolActions({
  plan,
  cards,
  turns,
  listener,
  searchKnowledge,
}: ToolActionsOptions): ToolActions {
  return {
    showContent(id) {
      plan.contentShown(id);
      listener.content(id);
    },
    openEmailCard(prefill) {
      plan.emailCard("open");
      cards.openEmail(prefill);
    },
    openPersonCard: (link) => cards.openPerson(link),
    searchKnowledge,
    endAfterSpeech() {
      const { underWay } = turns;
      if (underWay !== undefined) underWay.isLast = true;
    },
    event: (kind, detail) => listener.event(kind, detail),
  };
}

export interface ToolActionsOptions extends Pick<
  ConversationOptions,
  "listener" | "searchKnowledge"
> {
  plan: DemoPlan;
  cards: Cards;
  turns: TurnQueue;
}
