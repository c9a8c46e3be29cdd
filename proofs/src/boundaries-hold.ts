import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./boundaries/compare.ts";
import { houseRules } from "./boundaries/house-rules.ts";
import { importRows } from "./boundaries/import-rows.ts";
import { lintLayout, plantLayout, takeWallsDown } from "./boundaries/lint-layout.ts";
import { lawfulLineCount, layersOf } from "./boundaries/wall.ts";
import { walls } from "./boundaries/walls.ts";
import { defineProof } from "./runner/proof.ts";

export default defineProof({
  covers: [],
  claims: {
    "boundaries-hold": {
      promise: "Every wall of the architecture is a lint rule that catches its violation.",
      bound: "all caught, nothing lawful reported, none caught with the rules off",
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const sum = { planted: 0, caught: 0, lawful: 0, wrong: 0, caughtWithRulesOff: 0 };

        for (const layer of layersOf([...importRows, ...walls, ...houseRules])) {
          const home = await realpath(await mkdtemp(join(tmpdir(), "svc-boundaries-")));
          onEnd(() => rm(home, { recursive: true, force: true }));
          await plantLayout(home, Object.assign({}, ...layer.map((wall) => wall.files)));
          const findings = await lintLayout(home);
          await takeWallsDown(home);
          const control = await lintLayout(home);

          for (const wall of layer) {
            const { caught, missed, wrong } = compare(wall, findings);
            const planted = caught.length + missed.length;
            const lawful = lawfulLineCount(wall);
            say(
              `${wall.name}: ${caught.length} of ${planted} caught, ${wrong.length} of ${lawful} lawful lines reported`,
            );
            for (const { at, rule, says } of missed) say(`  missed ${at} ${rule} ${says}`);
            for (const { at, rule, message } of wrong) say(`  wrong ${at} ${rule} ${message}`);
            sum.planted += planted;
            sum.caught += caught.length;
            sum.lawful += lawful;
            sum.wrong += wrong.length;
            sum.caughtWithRulesOff += compare(wall, control).caught.length;
          }
        }
        say(`control, with the rules off: ${sum.caughtWithRulesOff} of ${sum.planted} caught`);

        return {
          figure: `${sum.caught} of ${sum.planted} caught, ${sum.wrong} of ${sum.lawful} lawful lines reported`,
          ok: sum.caught === sum.planted && sum.wrong === 0 && sum.caughtWithRulesOff === 0,
          size: `${sum.planted} violations`,
        };
      },
    },
  },
});
