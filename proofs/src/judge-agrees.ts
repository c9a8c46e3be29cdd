import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import { defects, MODELS } from "./judge/defects.ts";
import { isCaught, isWhole, runScore, toldOf } from "./judge/run-score.ts";
import type { Scored } from "./judge/run-score.ts";
import { copyServer, OWN_CLI } from "./judge/server-copy.ts";
import { defineProof } from "./runner/proof.ts";

export default defineProof({
  covers: [],
  claims: {
    "judge-agrees": {
      promise:
        "Conversations are judged as a careful reader judges them, whatever the model invents, and a defect in the judging shows",
      bound: "all agree, all planted defects caught",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const home = await mkdtemp(join(tmpdir(), "svc-judge-"));
        onEnd(() => rm(home, { recursive: true, force: true }));
        const model = await startLanguageModel({
          faults: [{ kind: "unknown_question", model: MODELS.addsKeys }],
        });
        onEnd(() => model.close());
        const processes = new AbortController();
        onEnd(() => processes.abort());
        const score = (cli: string, name: string): Promise<Scored> =>
          runScore(cli, { url: model.baseUrl, name }, { home, signal: processes.signal });

        const own = await score(OWN_CLI, MODELS.usual);
        const answers = model.requests().recent;
        const unscripted = answers.filter(({ by }) => by === "rules").length;
        say(
          `as it is: ${toldOf(own)} in ${answers.length} answers, ${unscripted} without a script`,
        );

        const sound: Scored[] = [own];
        let caught = 0;
        const waiting = defects.values();
        async function lane(number: number): Promise<void> {
          // One copy for many defects: what is not spoiled stays compiled.
          const { cli, withDefect } = await copyServer(join(home, `copy-${number}`));
          const copied = await score(cli, MODELS.addsKeys);
          sound.push(copied);
          say(`a copy, with a model that answers more than it is asked: ${toldOf(copied)}`);
          for (const defect of waiting) {
            const scored = await withDefect(defect, () => score(cli, defect.model ?? MODELS.usual));
            if (isCaught(scored)) caught += 1;
            say(`${defect.name}: ${toldOf(scored)}`);
          }
        }
        await Promise.all(
          Array.from({ length: availableParallelism() }, (_, number) => lane(number)),
        );

        const { agreed = 0, compared = 0, fixtures = 0 } = own.score ?? {};
        return {
          figure: `${agreed} of ${compared} agree, ${caught} of ${defects.length} defects caught`,
          ok: sound.every(isWhole) && unscripted === 0 && caught === defects.length,
          size: `${fixtures} conversations, ${defects.length} defects`,
        };
      },
    },
  },
});
