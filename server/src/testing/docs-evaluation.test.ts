import { readFile } from "node:fs/promises";
import { judgeConversation, loadFixtures } from "#evaluation";
import type { Judgement } from "#evaluation";
import { expect, test } from "vitest";
import { startRehearsedModels } from "./rehearsed-models.ts";

const GUIDE = new URL("../../../docs/guide/evaluation.md", import.meta.url);

test("the guide's example is what becomes of that conversation", async () => {
  const guide = await readFile(GUIDE, "utf8");
  const sample = (name: string): unknown =>
    JSON.parse(new RegExp(`^\`\`\`json ${name}\\n([^]*?)^\`\`\`$`, "m").exec(guide)![1]!);
  const { conversation, checked } = await judge("en-cafe-rosters");
  expect(checked.evaluation).toEqual(sample("evaluation.json"));
  expect(checked.dropped).toEqual(sample("dropped.json"));

  const turns = [
    ...guide.matchAll(/^\| (\d+) \| (agent|visitor) \| (.+?)( — \*\(interrupted\)\*)? \|$/gm),
  ];
  expect(turns.length).toBeGreaterThan(5);
  for (const [, turn, who, heard, cut] of turns) {
    expect(conversation.turns[Number(turn) - 1]).toEqual({
      role: who === "agent" ? "assistant" : "user",
      content: heard,
      interrupted: cut !== undefined,
    });
  }
});

async function judge(name: string) {
  const fixture = (await loadFixtures()).find((one) => one.name === name)!;
  const { rehearsal, models } = await startRehearsedModels();
  try {
    const { rubric, conversation } = fixture;
    const options = { signal: AbortSignal.timeout(5_000) };
    const { checked }: Judgement = await judgeConversation(models, rubric, conversation, options);
    return { conversation, checked };
  } finally {
    await rehearsal.close();
  }
}
