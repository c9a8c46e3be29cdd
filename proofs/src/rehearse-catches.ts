import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import { SvcProcess } from "@svc/server/testing";
import { defects } from "./rehearse/defects.ts";
import type { Defect } from "./rehearse/defects.ts";
import { defineProof } from "./runner/proof.ts";

const MIN_CAUGHT = 28;
const MAX_FALSE_ALARMS = 1;

/** The agent of the product that `npm run dev` serves. */
const PRODUCT = join(import.meta.dirname, "../../tools/src/dev/product/tidewise");

/** How a rehearsal ended. */
interface Rehearsed {
  /** 0 all passed, 1 some failed, 2 the folder has a mistake. */
  exitCode: number;
  scenarios: { file: string; result: string; failures: { expected: string; got: string }[] }[];
  /** What it said in place of a result. */
  refusal: string;
}

export default defineProof({
  covers: [
    "server/src/agents/",
    "server/src/conversation/",
    "server/src/operator/",
    "rehearsal/",
    "tools/src/dev/product/",
  ],
  claims: {
    "rehearse-catches": {
      promise:
        "The scenarios that an agent starts with, and those of the made-up product, pass as they are, and show what an author breaks",
      bound: `≥ ${MIN_CAUGHT} of ${defects.length} defects caught, ≤ ${MAX_FALSE_ALARMS} false alarm`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, onEnd }) => {
        const home = await mkdtemp(join(tmpdir(), "svc-rehearse-"));
        onEnd(() => rm(home, { recursive: true, force: true }));
        const model = await startLanguageModel();
        onEnd(() => model.close());
        const svc = new SvcProcess(join(home, "compiled"));
        onEnd(() => svc.close());
        // There is no database: a rehearsal needs none.
        const environment = {
          SVC_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
          SVC_EXPORT_DATABASE_URL: "postgres://svc_export@127.0.0.1:1/nothing",
          SVC_MODEL_URL: model.baseUrl,
          SVC_CONVERSATION_MODEL: "rehearsal",
        };
        const run = (...argv: string[]): ReturnType<SvcProcess["run"]> =>
          svc.run(argv, { directory: home, environment });
        /** Plays some scenarios of an agent's folder, or all of them, on the command line. */
        const rehearse = async (folder: string, only: string[] = []): Promise<Rehearsed> => {
          const chosen = only.flatMap((file) => ["--only", `/${file}.yaml`]);
          const flags = ["--at-once", "30", "--json"];
          const { exitCode, out, err } = await run(
            "agents",
            "rehearse",
            folder,
            ...chosen,
            ...flags,
          );
          const { scenarios } = (out === "" ? { scenarios: [] } : JSON.parse(out)) as Rehearsed;
          return { exitCode, scenarios, refusal: err };
        };

        const clean = join(home, "clean", "guide");
        await mkdir(join(home, "clean"));
        await run("agents", "init", clean);
        // The one shows slides, the other a tour and places.
        const started = await rehearse(clean);
        const product = await rehearse(PRODUCT);
        const scenarios = [...started.scenarios, ...product.scenarios];
        const alarms = scenarios.filter(({ result }) => result !== "passed");
        say(`as it is: ${scenarios.length - alarms.length} of ${scenarios.length} pass`);
        for (const { file, failures } of alarms)
          say(`FALSE ALARM ${file}: expected ${failures[0]!.expected}, got ${failures[0]!.got}`);

        const left = [...defects.entries()];
        let caught = 0;
        const playSome = async (): Promise<void> => {
          for (let next = left.shift(); next !== undefined; next = left.shift()) {
            const [index, defect] = next;
            const folder = join(home, `defect-${index}`, "guide");
            await plant(clean, folder, defect);
            const played = await rehearse(folder, full ? [] : defect.scenarios);
            const noticed = whatIsNoticed(played, alarms);
            if (noticed !== undefined) caught += 1;
            say(`${defect.name}: ${noticed ?? "NOT NOTICED"}`);
            progress(defects.length - left.length, defects.length, "defects");
          }
        };
        await Promise.all(Array.from({ length: availableParallelism() }, playSome));

        return {
          figure: `${caught} of ${defects.length} defects caught, ${alarms.length} false alarms in ${scenarios.length} scenarios`,
          ok: caught >= MIN_CAUGHT && alarms.length <= MAX_FALSE_ALARMS && scenarios.length === 32,
          size: `${defects.length} defects, ${scenarios.length} scenarios`,
        };
      },
    },
  },
});

/** Writes a copy of the agent with the defect in it. */
async function plant(from: string, to: string, { name, changes }: Defect): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const change of changes) {
    if ("remove" in change) {
      await rm(join(to, change.remove));
      continue;
    }
    const file = join(to, change.file);
    const parts = (await readFile(file, "utf8")).split(change.from);
    // Otherwise the defect would not be there, and nothing to be caught.
    if (parts.length !== 2)
      throw new Error(`${name}: "${change.from}" does not stand once in ${change.file}`);
    await writeFile(file, parts.join(change.to));
  }
}

/** What a rehearsal shows of a defect: the folder is refused, or a scenario fails that passes otherwise. */
function whatIsNoticed(
  { exitCode, scenarios, refusal }: Rehearsed,
  alarms: { file: string }[],
): string | undefined {
  if (exitCode === 2) {
    const { error } = JSON.parse(refusal) as { error: { details: { message: string }[] } };
    return error.details[0]!.message;
  }
  const [first] = scenarios
    .filter(({ file }) => alarms.every((alarm) => alarm.file !== file))
    .flatMap(({ failures }) => failures);
  return first && `expected ${first.expected}, got ${first.got}`;
}
