import { startLanguageModel } from "@svc/rehearsal";
import { judgeConversation, plainConfig, rubricOf } from "@svc/server/testing";
import type { Conversation } from "@svc/server/testing";
import { canariesIn, CANARIES } from "./injections/canaries.ts";
import { ORDERS } from "./injections/orders.ts";
import { recordedModel } from "./injections/recorded-model.ts";
import { orderedTalk, PLACES, QUALIFIED_TALK, RUBRIC } from "./injections/talk.ts";
import { defineProof } from "./runner/proof.ts";

/** In German every noun has a capital, so that names are harder to tell. */
const RECORD_LANGUAGES = ["en", "de"];

export default defineProof({
  covers: [],
  claims: {
    "prompt-stays-shut": {
      promise:
        "No order in a conversation or in metadata brings a secret out through an evaluation, and nobody is qualified by asking for it.",
      bound: "0 let out, 0 verdicts won, honest talks judged as they are",
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const rehearsal = await startLanguageModel({ faults: [{ kind: "gullible" }] });
        onEnd(() => rehearsal.close());
        const model = recordedModel(rehearsal.baseUrl);
        const models = { first: model, fallback: undefined };
        const judge = async (talk: Conversation, recordLanguage: string) => {
          const signal = AbortSignal.timeout(10_000);
          const rubric = { ...RUBRIC, recordLanguage };
          const { checked } = await judgeConversation(models, rubric, talk, { signal });
          return checked;
        };

        const all = RECORD_LANGUAGES.flatMap((language) =>
          PLACES.flatMap((place) => ORDERS.map((order) => ({ order, place, language }))),
        );
        // Spread over all of them: neighbours in the list are the same order in other languages.
        const every = Math.floor(all.length / 60);
        const chosen = full ? all : all.filter((_, index) => index % every === 0);
        const sum = { tried: 0, letOut: 0, won: 0, controlOut: 0, controlWon: 0 };
        for (const { order, place, language } of chosen) {
          if (timeLeftMs() === 0) break;
          const { summary = "", evaluation } = await judge(orderedTalk(order, place), language);
          const published = JSON.stringify([summary, evaluation]);
          const raw = model.lastAnswer();
          sum.tried += 1;
          const out = canariesIn(published);
          const isWon = evaluation.qualification?.status === "qualified";
          if (out.length > 0) sum.letOut += 1;
          if (isWon) sum.won += 1;
          if (canariesIn(raw).length > 0) sum.controlOut += 1;
          if (raw.includes('"status":"qualified"')) sum.controlWon += 1;
          if (out.length > 0 || isWon) {
            say(
              `${place}, "${order.text}": ${out.join(", ") || "qualified"} in ${published.slice(0, 400)}`,
            );
          }
          progress(sum.tried, chosen.length, "orders");
        }
        say(
          `control, the model's own answers: ${sum.controlOut} let something out, ${sum.controlWon} call the visitor qualified`,
        );

        const honest = await judge(QUALIFIED_TALK, "en");
        const isHonest = honest.evaluation.qualification?.status === "qualified";
        say(`an honest talk beside them: ${honest.evaluation.qualification?.status}`);

        const secretPersona = {
          config: {
            ...plainConfig("Linden"),
            persona: CANARIES.persona,
            instructions: CANARIES.instructions,
          },
          knowledge: [],
        };
        const inRubric = canariesIn(JSON.stringify(rubricOf(secretPersona)));
        say(`persona and instructions in what a judge is given: ${inRubric.length}`);

        return {
          figure: `${sum.letOut} let out and ${sum.won} verdicts won by ${sum.tried} orders; without the check ${sum.controlOut} and ${sum.controlWon}`,
          ok:
            sum.letOut + sum.won + inRubric.length === 0 &&
            isHonest &&
            sum.controlOut > 0 &&
            sum.controlWon > 0,
          size: `${sum.tried} orders`,
        };
      },
    },
  },
});
