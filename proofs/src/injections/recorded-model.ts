import { createLanguageModel, systemClock } from "@svc/server/testing";
import type { LanguageModel } from "@svc/server/testing";

/** The product's own client of a model, and what the model said last: the control without any check. */
export function recordedModel(url: string): LanguageModel & { lastAnswer(): string } {
  const model = createLanguageModel({
    url,
    key: undefined,
    name: "gullible",
    timeoutMs: 5_000,
    price: { input: 0, output: 0 },
    clock: systemClock,
  });
  let last = "";
  return {
    ...model,
    ask: async (request) => {
      const answer = await model.ask(request);
      last = answer.text;
      return answer;
    },
    lastAnswer: () => last,
  };
}
