import type { ConversationModels } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { questionsIn } from "./judge.ts";
import { LINES } from "./lines.ts";
import type { Language, QuestionKey } from "./lines.ts";

export interface HostOptions {
  models: ConversationModels;
  language: Language;
  /** It forgets what it asked, makes things up and does not stop talking. */
  isCareless: boolean;
  random: Random;
  /** Gets what the model itself said in each request. */
  onSaid(text: string): void;
}

/**
 * The stand-in as a model that listens, in the visitor's own language: it asks in words of its own,
 * and it notes an answer that comes early.
 */
export function hostModel({
  models,
  language,
  isCareless,
  random,
  onSaid,
}: HostOptions): ConversationModels {
  const lines = LINES[language];
  const keys = Object.keys(lines.asks) as QuestionKey[];
  return {
    get answers() {
      return models.answers;
    },
    async reply(request) {
      const said: string[] = [];
      const say = (sentence: string): void => {
        said.push(sentence);
        request.onSentence(sentence);
      };
      const wording = (key: QuestionKey): string => random.pick(lines.asks[key]);
      const visitorSaid = request.messages.findLast(({ role }) => role === "user")?.content;
      const isFirstStep = request.messages.at(-2)?.role === "user";
      if (isFirstStep && visitorSaid === lines.early && request.toolChoice === "auto") {
        for (const [index, question] of keys.entries()) {
          const args = JSON.stringify({ question, quote: lines.early });
          request.onToolCall({ id: `early-${index}`, name: "note_answer", args });
        }
      }
      await models.reply({
        ...request,
        onSentence: (sentence) => {
          const [key] = questionsIn(sentence);
          say(key === undefined ? sentence : wording(key));
          if (isCareless && said.length === 1 && random.chance(0.3))
            say(random.pick(lines.invented));
        },
      });
      if (isCareless) {
        if (random.chance(0.6)) say(wording(random.pick(keys)));
        if (random.chance(0.4)) for (const ramble of lines.rambles) say(ramble);
      }
      onSaid(said.join(" "));
    },
  };
}
