import { startLanguageModel } from "@svc/rehearsal";
import { playConversation, rehearsedChatModels } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { AGENT } from "./plan/airship-agent.ts";
import { hostModel } from "./plan/host-model.ts";
import { judge } from "./plan/judge.ts";
import type { Verdict } from "./plan/judge.ts";
import { KINDS, visitorOf } from "./plan/visitors.ts";
import { defineProof } from "./runner/proof.ts";

const AT_ONCE = 8;
const MOST_WORDS = 45;

export default defineProof({
  covers: [],
  claims: {
    "agent-keeps-its-plan": {
      promise:
        "An agent asks each question at most once and never in vain, makes nothing up, is brief and says goodbye, also with a careless model.",
      bound: `0 asked twice or in vain, 0 made up, 0 rude ends, ≤ ${MOST_WORDS} words at p95`,
      tier: "nightly",
      prove: async ({ seed, full, say, progress, timeLeftMs, onEnd }) => {
        const rehearsal = await startLanguageModel();
        onEnd(() => rehearsal.close());
        const models = rehearsedChatModels(rehearsal.baseUrl);

        const total = full ? 1_000 : 32;
        const heard: Verdict[] = [];
        const control: Verdict[] = [];
        let next = 0;

        async function meetVisitors(): Promise<void> {
          while (next < total && timeLeftMs() > 0) {
            const index = next++;
            const random = new Random(seed + index);
            const visitor = visitorOf(index, random);
            const isCareless = (index + Math.floor(index / KINDS.length)) % 2 === 0;
            const raw: string[] = [];
            const talk = await playConversation({
              agent: AGENT,
              language: visitor.language,
              metadata: visitor.metadata,
              models: hostModel({
                models,
                language: visitor.language,
                isCareless,
                random,
                onSaid: (text) => raw.push(text),
              }),
              visitor: (sofar) => visitor.next(sofar),
            });
            const verdict = judge(visitor, talk);
            heard.push(verdict);
            if (isCareless) {
              const [greeting, ...rest] = talk.turns;
              const unguarded = raw.map((content) => ({ ...greeting!, content }));
              control.push(judge(visitor, { ...talk, turns: [...rest.slice(0, 1), ...unguarded] }));
            }
            if (faultsOf(verdict) > 0) {
              say(
                `${visitor.kind}, ${visitor.language}, ${isCareless ? "careless" : "honest"} model:`,
              );
              for (const { role, content } of talk.turns) say(`  ${role}: ${content}`);
            }
            progress(heard.length, total, "visitors");
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, meetVisitors));

        const sum = (verdicts: Verdict[], field: Exclude<keyof Verdict, "words">): number =>
          verdicts.reduce((count, verdict) => count + verdict[field], 0);
        const table = (name: string, verdicts: Verdict[]): void =>
          say(
            `${name}: ${sum(verdicts, "asked")} questions, ${sum(verdicts, "askedTwice")} twice, ${sum(verdicts, "askedInVain")} in vain, ${sum(verdicts, "invented")} made up, ${sum(verdicts, "told")} told from knowledge, words p95 ${p95(verdicts)}`,
          );
        table("heard", heard);
        table("control, what the careless model itself said", control);
        const controlFails =
          sum(control, "askedTwice") > 0 &&
          sum(control, "askedInVain") > 0 &&
          sum(control, "invented") > 0 &&
          p95(control) > MOST_WORDS;
        const faults = heard.reduce((count, verdict) => count + faultsOf(verdict), 0);
        return {
          figure: `${faults} faults with ${heard.length} visitors, ${p95(heard)} words at p95; the careless model alone asks ${sum(control, "askedTwice")} twice and makes up ${sum(control, "invented")}`,
          ok:
            faults === 0 &&
            p95(heard) <= MOST_WORDS &&
            sum(heard, "told") > 0 &&
            sum(heard, "asked") > heard.length / 2 &&
            controlFails,
          size: `${heard.length} visitors`,
        };
      },
    },
  },
});

function faultsOf({ askedTwice, askedInVain, invented, rude }: Verdict): number {
  return askedTwice + askedInVain + invented + rude;
}

function p95(verdicts: Verdict[]): number {
  const words = verdicts.flatMap((verdict) => verdict.words).toSorted((one, other) => one - other);
  return words[Math.ceil(words.length * 0.95) - 1] ?? 0;
}
