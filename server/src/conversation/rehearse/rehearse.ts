import type { Scenario } from "#agents";
import { AppError } from "#platform";
import { playScenario } from "./play-scenario.ts";
import type { PlayedScenario, RehearsalStage } from "./play-scenario.ts";

export interface RehearsalOptions extends RehearsalStage {
  /** Conversations at a time: more would meet the limits that providers set for a key. */
  atOnce: number;
  onPlayed(done: number): void;
}

/** Plays scenarios, a few at a time, and answers in their order. Throws when the model failed in each of them. */
export async function rehearse(
  scenarios: Scenario[],
  { atOnce, onPlayed, ...stage }: RehearsalOptions,
): Promise<PlayedScenario[]> {
  const played: PlayedScenario[] = [];
  const waiting = scenarios.entries();
  let done = 0;
  async function lane(): Promise<void> {
    // All lanes draw from the one iterator, so each scenario is taken once.
    for (const [index, scenario] of waiting) {
      played[index] = await playScenario(scenario, stage);
      onPlayed((done += 1));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  const [first] = played.map(({ recording }) => recording.modelFailure);
  if (
    first !== undefined &&
    played.every(({ recording }) => recording.modelFailure !== undefined)
  ) {
    throw new AppError("conflict", {
      what: "The model left every visitor without an answer.",
      why: `It cannot be reached, does not let us in, or has nothing to say: ${first}.`,
      fix: "Check SVC_MODEL_URL, SVC_MODEL_KEY and the name of the model.",
    });
  }
  return played;
}
