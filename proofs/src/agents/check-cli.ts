import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { startSvc } from "../import/import-case.ts";
import type { SvcEnd } from "../import/import-case.ts";
import type { AgentFolder } from "./agent-files.ts";
import { judgeMistakes } from "./check-mistakes.ts";
import { goodAgent } from "./good-agent.ts";
import { judgePlan } from "./judge-plan.ts";
import { plantMistake } from "./plant-mistake.ts";
import type { PlantedMistake } from "./planted-mistakes.ts";
import { writeFolder } from "./write-folder.ts";
import { writeYaml } from "./write-yaml.ts";

type Changes = Parameters<typeof judgePlan>[0];

/** The same promises through the command line, each step a process of its own. */
export async function checkCli(
  database: TestDatabase,
  account: string,
  folder: string,
  [one, other]: [AgentFolder, AgentFolder],
  mistakes: PlantedMistake[],
  random: Random,
): Promise<{ steps: number; wrong: string[] }> {
  const wrong: string[] = [];
  let steps = 0;
  const at = join(folder, "agents/made");
  const svc = (verb: string, dir = "agents/made"): Promise<SvcEnd> => {
    steps++;
    const argv = verb === "init" ? [] : ["--account", account];
    return startSvc(database, ["agents", verb, dir, ...argv], { cwd: folder }).ended;
  };
  const expect = (what: string, end: SvcEnd, isRight: boolean): void => {
    if (!isRight)
      wrong.push(`${what}: exit ${end.exitCode}, ${JSON.stringify(end.output)} ${end.errors}`);
  };
  const write = ({ file, files }: AgentFolder): Promise<void> =>
    writeFolder(at, writeYaml(file, { random }).lines.join("\n"), files);
  const changesOf = (end: SvcEnd): Changes =>
    ((end.output["plan"] ?? end.output) as { changes: Changes }).changes;

  await mkdir(folder, { recursive: true });
  const init = await svc("init", "agents/example");
  expect("init", init, init.exitCode === 0);
  const example = await svc("apply", "agents/example");
  expect(
    "apply the example",
    example,
    example.exitCode === 0 && example.output["applied"] === true,
  );
  const same = await svc("plan", "agents/example");
  expect("plan the example", same, same.exitCode === 0 && changesOf(same).length === 0);

  await write(one);
  const first = await svc("apply");
  expect("apply", first, first.exitCode === 0 && first.output["version"] === 1);
  await write(other);
  const plan = await svc("plan");
  expect("plan", plan, plan.exitCode === 0 && judgePlan(changesOf(plan), one, other) === undefined);
  const second = await svc("apply");
  expect("apply again", second, judgePlan(changesOf(second), one, other) === undefined);
  const nothing = await svc("apply");
  expect(
    "apply the same",
    nothing,
    nothing.output["applied"] === false && changesOf(nothing).length === 0,
  );

  for (const mistake of mistakes) {
    const line = await plantMistake(at, goodAgent(), mistake, random);
    const end = await svc("plan");
    const { error } = JSON.parse(end.errors) as {
      error: { details: Parameters<typeof judgeMistakes>[0] };
    };
    const fault = judgeMistakes(error.details, mistake, line);
    expect(fault ?? "", end, end.exitCode === 2 && fault === undefined);
  }
  return { steps, wrong };
}
