import type { ConversationModels } from "@svc/server/testing";

/** What the model itself wanted to say and to call: the control without a server in between. */
export interface Wanted {
  said: string;
  calls: string[];
}

export function recordedModels(models: ConversationModels, wanted: Wanted[]): ConversationModels {
  return {
    get answers() {
      return models.answers;
    },
    async reply(request) {
      const own: Wanted = { said: "", calls: [] };
      wanted.push(own);
      await models.reply({
        ...request,
        onSentence: (sentence) => {
          own.said += `${sentence} `;
          request.onSentence(sentence);
        },
        onToolCall: (call) => {
          own.calls.push(call.name);
          request.onToolCall(call);
        },
      });
    },
  };
}
