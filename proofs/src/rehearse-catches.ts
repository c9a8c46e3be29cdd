import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import { SvcProcess } from "@svc/server/testing";
import { defects } from "./rehearse/defects.ts";
import { plant } from "./rehearse/plant.ts";
import { isCaught, noticed, rehearse, without } from "./rehearse/rehearsal.ts";
import { defineProof } from "./runner/proof.ts";

const FEWEST_CAUGHT = 28;
const MOST_FALSE_ALARMS = 1;

export default defineProof({
  covers: [],
  claims: {
    "rehearse-catches": {
      promise:
        "The scenarios that an agent starts with pass as they are, and show what an author breaks",
      bound: `≥ ${FEWEST_CAUGHT} of ${defects.length} defects caught, ≤ ${MOST_FALSE_ALARMS} false alarm`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, onEnd }) => {
        const home = await mkdtemp(join(tmpdir(), "svc-rehearse-"));
        onEnd(() => rm(home, { recursive: true, force: true }));
        const model = await startLanguageModel();
        onEnd(() => model.close());
        const svc = new SvcProcess(join(home, "compiled"));
        onEnd(() => svc.close());
        const surroundings = { directory: home, environment: environmentOf(model.baseUrl) };

        const clean = join(home, "clean");
        await mkdir(clean);
        await svc.run(["agents", "init", join(clean, "guide")], surroundings);
        const sound = await rehearse(svc, surroundings, join(clean, "guide"));
        const alarms = sound.scenarios.filter(({ result }) => result !== "passed");
        say(
          `as it is: ${sound.scenarios.length - alarms.length} of ${sound.scenarios.length} pass`,
        );
        for (const { file, failures } of alarms)
          say(`FALSE ALARM ${file}: expected ${failures[0]!.expected}, got ${failures[0]!.got}`);

        let [caught, done] = [0, 0];
        await Promise.all(
          defects.map(async (defect, index) => {
            const folder = join(home, `defect-${index}`, "guide");
            await plant(join(clean, "guide"), folder, defect);
            const played = await rehearse(svc, surroundings, folder, full ? [] : defect.scenarios);
            // What fails anyway proves nothing.
            const rehearsed = without(played, alarms);
            if (isCaught(rehearsed)) caught += 1;
            say(`${defect.name}: ${noticed(rehearsed)}`);
            progress((done += 1), defects.length, "defects");
          }),
        );

        return {
          figure: `${caught} of ${defects.length} defects caught, ${alarms.length} false alarms in ${sound.scenarios.length} scenarios`,
          ok:
            caught >= FEWEST_CAUGHT &&
            alarms.length <= MOST_FALSE_ALARMS &&
            sound.scenarios.length === 30,
          size: `${defects.length} defects, ${sound.scenarios.length} scenarios`,
        };
      },
    },
  },
});

/** There is no database: a rehearsal needs none. */
function environmentOf(modelUrl: string): Record<string, string> {
  return {
    SVC_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
    SVC_EXPORT_DATABASE_URL: "postgres://svc_export@127.0.0.1:1/nothing",
    SVC_MODEL_URL: modelUrl,
    SVC_CONVERSATION_MODEL: "rehearsal",
  };
}
