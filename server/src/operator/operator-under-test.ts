import { AppError, systemClock } from "#platform";
import type { Operator } from "./operator.ts";

/** An operator in a test: nothing is there unless the test gives it. */
export function operatorUnderTest(given: Partial<Operator> = {}): Operator {
  return {
    db: away,
    exportDatabaseUrl: away,
    cell: () => "aa",
    publicUrl: () => undefined,
    configProblems: () => [],
    jobs: away,
    models: away,
    conversationModels: away,
    modelPlaces: () => ({ conversation: undefined, evaluation: undefined }),
    sdkFolder: () => undefined,
    speech: () => undefined,
    secrets: away,
    mail: () => undefined,
    addressMarks: away,
    receivers: () => ({}),
    clock: systemClock,
    actor: "ada",
    directory: ".",
    progress: () => {},
    interrupted: () => new AbortController().signal,
    note: () => {},
    ...given,
  };
}

function away(): never {
  throw new AppError("unavailable", { what: "", why: "", fix: "" }, { cause: new Error("gone") });
}
