import type { SvcProcess, SvcRun, SvcSurroundings } from "@svc/server/testing";

/** How a rehearsal ended. */
export interface Rehearsed {
  /** 0 all passed, 1 some failed, 2 the folder has a mistake. */
  exitCode: number;
  scenarios: { file: string; result: string; failures: { expected: string; got: string }[] }[];
  /** What it said in place of a result. */
  refusal: string;
}

/** Plays some scenarios of an agent's folder, or all of them, on the command line. */
export async function rehearse(
  svc: SvcProcess,
  surroundings: SvcSurroundings,
  folder: string,
  only: string[] = [],
): Promise<Rehearsed> {
  const chosen = only.flatMap((file) => ["--only", `/${file}.yaml`]);
  const argv = ["agents", "rehearse", folder, ...chosen, "--at-once", "30", "--json"];
  const { exitCode, out, err }: SvcRun = await svc.run(argv, surroundings);
  const { scenarios } = (out === "" ? { scenarios: [] } : JSON.parse(out)) as Rehearsed;
  return { exitCode, scenarios, refusal: err };
}

/** The same without scenarios that fail in any case. */
export function without({ scenarios, ...rest }: Rehearsed, alarms: { file: string }[]): Rehearsed {
  const isAlarm = (file: string): boolean => alarms.some((alarm) => alarm.file === file);
  return { ...rest, scenarios: scenarios.filter(({ file }) => !isAlarm(file)) };
}

/** Something fails, or the folder is refused. A breakdown of the command is neither. */
export function isCaught({ exitCode, scenarios }: Rehearsed): boolean {
  return exitCode === 2 || scenarios.some(({ failures }) => failures.length > 0);
}

/** What was noticed, in a line. */
export function noticed({ exitCode, scenarios, refusal }: Rehearsed): string {
  if (exitCode === 2) return (JSON.parse(refusal) as Refusal).error.details[0]!.message;
  const [first] = scenarios.flatMap(({ failures }) => failures);
  return first === undefined ? "NOT NOTICED" : `expected ${first.expected}, got ${first.got}`;
}

interface Refusal {
  error: { details: { message: string }[] };
}
