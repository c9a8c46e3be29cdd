import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCustomer } from "@svc/server/testing";
import fc from "fast-check";
import { Random } from "@svc/tools/random";
import { anyAgent } from "./agents/agent-files.ts";
import type { AgentFolder } from "./agents/agent-files.ts";
import { checkCli } from "./agents/check-cli.ts";
import { checkMistake, judgeMistakes } from "./agents/check-mistakes.ts";
import { checkRoundTrip } from "./agents/check-round-trip.ts";
import { plantedMistakes } from "./agents/planted-mistakes.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

export default defineProof({
  covers: [],
  claims: {
    "agents-round-trip": {
      promise:
        "An applied agent is what its folder says: no change goes unseen, and every mistake is named at its line",
      bound: "0 plans wrong, 0 mistakes told at another field or line",
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const agents = full ? 5_000 : 25;
        const rounds = full ? 100 : 1;
        const random = new Random(seed);
        const folder = await mkdtemp(join(tmpdir(), "svc-agents-"));
        onEnd(() => rm(folder, { recursive: true, force: true }));
        const stage = await openStage();
        onEnd(() => stage.close());
        const { account } = await addCustomer(stage.database.db, { name: "Acme" });
        const wrong: string[] = [];
        const pairs = (count: number, from: number): [AgentFolder, AgentFolder][] =>
          fc.sample(fc.tuple(anyAgent, anyAgent), { numRuns: count, seed: from });
        say(`seed ${seed}`);

        // Processes take a core of their own; the volume is checked in this one meanwhile.
        const chosen = ["a tab at brand.name", "a picture that runs"];
        const commandLine = checkCli(
          stage.database,
          account.clientId,
          join(folder, "cli"),
          pairs(1, seed)[0]!,
          plantedMistakes.filter(({ name }) => chosen.includes(name)),
          new Random(seed, 1),
        );

        let told = 0;
        let misled = 0;
        for (let round = 0; round < rounds && (round === 0 || timeLeftMs() > 300_000); round++) {
          for (const [index, mistake] of plantedMistakes.entries()) {
            const fault = await checkMistake(
              join(folder, "planted"),
              mistake,
              new Random(seed + round, index),
            );
            told++;
            if (fault !== undefined) wrong.push(fault);
            // The judge must not be content with the line above, or with another field.
            const right = { field: mistake.field, line: 7, message: "It is wrong. Mend it." };
            const others = [
              { ...right, line: 6 },
              { ...right, field: "name.other" },
              { ...right, message: "No" },
            ];
            misled += others.filter((one) => judgeMistakes([one], mistake, 7) === undefined).length;
            progress(told, rounds * plantedMistakes.length, "mistakes");
          }
        }
        say(`${plantedMistakes.length} planted mistakes, ${told} times: ${wrong.length} wrong`);

        const sums = { agents: 0, plans: 0, changes: 0, missedByJudge: 0 };
        for (const [index, pair] of pairs(agents, seed + 1).entries()) {
          if (timeLeftMs() < 1_000) break;
          const at = join(folder, `agents/agent-${index}`);
          const done = await checkRoundTrip(stage.database, account.id, at, pair, random);
          wrong.push(...done.wrong.map((words) => `agent ${index}: ${words}`));
          sums.agents++;
          sums.plans += done.plans;
          sums.changes += done.changes;
          sums.missedByJudge += done.missedByJudge;
          await rm(at, { recursive: true, force: true });
          progress(index + 1, agents, "agents");
        }
        const cli = await commandLine;
        wrong.push(...cli.wrong);
        say(`command line: ${cli.steps} processes, ${cli.wrong.length} wrong`);
        say(`${sums.agents} agents, ${sums.plans} plans with ${sums.changes} changes`);
        say(`control: ${sums.missedByJudge + misled} wrong plans and messages passed the judges`);
        for (const words of wrong.slice(0, 10)) say(`WRONG ${words}`);

        return {
          figure: `${wrong.length} wrong in ${sums.plans} plans and ${told} mistakes`,
          ok:
            wrong.length === 0 &&
            sums.missedByJudge + misled === 0 &&
            sums.agents >= 3 &&
            sums.changes > sums.plans / 2 &&
            told >= plantedMistakes.length,
          size: `${sums.agents.toLocaleString("en")} agents, ${sums.plans.toLocaleString("en")} plans, ${plantedMistakes.length} kinds of mistakes`,
        };
      },
    },
  },
});
