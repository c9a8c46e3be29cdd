import type { Finding } from "./lint-layout.ts";
import { plantedLines } from "./wall.ts";
import type { PlantedLine, Wall } from "./wall.ts";

export interface Comparison {
  caught: PlantedLine[];
  missed: PlantedLine[];
  /** Reported though lawful, or by the wrong rule, or with the wrong words. */
  wrong: Finding[];
}

/** Every planted line must be found once, by its rule and in its words, and nothing else. */
export function compare(wall: Wall, findings: Finding[]): Comparison {
  const wrong = findings.filter(({ at }) => at.slice(0, at.lastIndexOf(":")) in wall.files);
  const caught: PlantedLine[] = [];
  const missed: PlantedLine[] = [];
  for (const line of plantedLines(wall)) {
    const index = wrong.findIndex(
      (one) => one.at === line.at && one.rule === line.rule && one.message.includes(line.says),
    );
    if (index === -1) missed.push(line);
    else {
      wrong.splice(index, 1);
      caught.push(line);
    }
  }
  return { caught, missed, wrong };
}
