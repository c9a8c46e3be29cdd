import { mistakesIn } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { goodAgent } from "./good-agent.ts";
import { plantMistake } from "./plant-mistake.ts";
import type { PlantedMistake } from "./planted-mistakes.ts";

interface ToldMistake {
  line?: number;
  field?: string;
  message: string;
}

/** Plants a mistake and says what is wrong with how it is told, or undefined. */
export async function checkMistake(
  at: string,
  mistake: PlantedMistake,
  random: Random,
): Promise<string | undefined> {
  const line = await plantMistake(at, goodAgent(), mistake, random);
  return judgeMistakes(await mistakesIn(at), mistake, line);
}

/** It must be told once, at its field and line, with what it brings along and nothing else, and with a cure. */
export function judgeMistakes(
  told: ToldMistake[],
  { name, field, also = [] }: PlantedMistake,
  line: number,
): string | undefined {
  const words = told.map((one) => `${one.line} ${one.field}: ${one.message}`).join(" / ");
  const fields = told.map((one) => one.field ?? "").toSorted();
  const expected = [field, ...also].toSorted();
  const here = told.find((one) => one.field === field);
  if (here?.line === line && String(fields) === String(expected) && SENTENCES.test(here.message))
    return undefined;
  return `${name}: expected ${expected.join(", ")} at line ${line}, was told ${words || "nothing"}`;
}

/** What is wrong, and what to do. */
const SENTENCES = /^[^]+[.?:] [A-Z][^]+[.?]$/;
