import { JudgeError, judgeConversation } from "@svc/server/testing";
import type { LanguageModel } from "@svc/server/testing";
import type { Checked } from "./oracle.ts";
import type { Talk } from "./talk.ts";

/** From what a model wrote about a talk to what is published of it; undefined when nothing is. */
export type Judge = (text: string, talk: Talk) => Promise<Checked | undefined>;

/** The product's own way, with a model that always writes the same. */
export const judgeOutput: Judge = async (text, { rubric, conversation }) => {
  const first: LanguageModel = {
    name: "parrot",
    ask: async () => ({ text, usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 } }),
    isThere: async () => true,
  };
  try {
    const models = { first, fallback: undefined };
    const { checked } = await judgeConversation(models, rubric, conversation, { signal });
    return checked;
  } catch (error) {
    if (error instanceof JudgeError && error.failure === "model_output") return undefined;
    throw error;
  }
};

const { signal } = new AbortController();
