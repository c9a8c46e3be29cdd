import { applyFolder, planFolder } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import type { AgentFolder } from "./agent-files.ts";
import { editorComplaints } from "./editor-schema.ts";
import { judgePlan } from "./judge-plan.ts";
import { reordered, singleChanges } from "./single-changes.ts";
import { writeFolder } from "./write-folder.ts";
import { writeYaml } from "./write-yaml.ts";

export interface RoundTrip {
  plans: number;
  changes: number;
  wrong: string[];
  /** Plans from which a change was taken away, or to which one was added, and that the judge let pass. */
  missedByJudge: number;
}

/** Applies one agent; then every single change towards the other must be shown, and nothing else. */
export async function checkRoundTrip(
  { db }: TestDatabase,
  accountId: number,
  at: string,
  [one, other]: [AgentFolder, AgentFolder],
  random: Random,
): Promise<RoundTrip> {
  const result: RoundTrip = { plans: 0, changes: 0, wrong: [], missedByJudge: 0 };
  const write = ({ file, files }: AgentFolder): Promise<void> =>
    writeFolder(at, writeYaml(file, { random }).lines.join("\n"), files);
  const plan = async (name: string, folder: AgentFolder, from: AgentFolder): Promise<void> => {
    await write(folder);
    const { changes } = await planFolder(db, accountId, at);
    const fault = judgePlan(changes, from, folder);
    result.plans++;
    result.changes += changes.length;
    if (fault !== undefined) result.wrong.push(`${name}: ${fault}`);
    if (changes.length > 0 && judgePlan(changes.slice(1), from, folder) === undefined)
      result.missedByJudge++;
    const invented = { field: "invented", change: "added" as const, to: "x" };
    if (judgePlan([...changes, invented], from, folder) === undefined) result.missedByJudge++;
  };

  for (const complaint of editorComplaints(one.file)) result.wrong.push(`an editor: ${complaint}`);
  if (editorComplaints({ ...one.file, nmae: "x" }).length === 0) result.missedByJudge++;
  await write(one);
  await applyFolder(db, accountId, at);
  await plan("the same again", one, one);
  await plan("the same in another order and hand", reordered(one), one);
  for (const { name, folder } of singleChanges(one, other)) await plan(name, folder, one);

  await plan("another agent", other, one);
  const { version, plan: applied } = await applyFolder(db, accountId, at);
  await plan("the other agent again", other, other);
  const again = await applyFolder(db, accountId, at);
  if (again.version !== version || again.plan.changes.length > 0)
    result.wrong.push(`applied twice, it went from version ${version} to ${again.version}`);
  if (applied.changes.length > 0 && applied.current?.version !== version - 1)
    result.wrong.push(`version ${version} followed ${applied.current?.version}`);
  return result;
}
