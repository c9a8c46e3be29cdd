import { readFile } from "node:fs/promises";
import { DEFAULT_LIMITS } from "#accounts";
import { judgeConversation, loadFixtures } from "#evaluation";
import type { Judgement } from "#evaluation";
import { AgentFile, TranscriptEntry } from "@svc/contract/schemas";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { describeConfig, readSpeechSettings } from "../config.ts";
import { startRehearsedModels } from "./server-process.ts";

async function page(path: string): Promise<string> {
  return readFile(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
}

function samplesOf(text: string, kind: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, sample]) => sample!,
  );
}

test("the guide to voice shows an agent and a transcript as they are", async () => {
  const guide = await page("guide/voice.md");
  const [agent] = samplesOf(guide, "yaml agent\\.yaml");
  expect(AgentFile.parse(parse(agent!))).toMatchObject({ modes: ["voice", "text"] });
  const [transcript] = samplesOf(guide, "json transcript\\.json");
  const entries = z.array(TranscriptEntry).parse(JSON.parse(transcript!));
  expect(entries.map(({ interrupted }) => interrupted)).toEqual([true, undefined]);
});

test("the lines for operators who set up speech are settings that it takes", async () => {
  const providers = await page("operate/voice-providers.md");
  const samples = samplesOf(providers, "sh [\\w-]+\\.sh").map((sample) =>
    Object.fromEntries(
      [...sample.matchAll(/^export (\w+)=(\S+)/gm)].map(([, name, value]) => [name!, value!]),
    ),
  );
  const [first, fallback, own] = samples;
  expect(readSpeechSettings("none", { ...first, ...fallback })).toMatchObject({
    hearing: { first: { provider: "deepgram" }, fallback: { provider: "openai" } },
    voice: { first: { provider: "cartesia" }, fallback: { provider: "elevenlabs" } },
  });
  expect(readSpeechSettings("none", own)?.voice.first.voice).toBe("af_heart");
  const known = new Set(describeConfig().map(({ name }) => name));
  for (const [name] of providers.matchAll(/\bSVC_[A-Z_]+\b/g)) expect(known).toContain(name);
});

test("the page on accounts lists every limit with its default", async () => {
  const listed = [
    ...(await page("operate/accounts-and-tokens.md")).matchAll(/^\| `(\w+)` \| ([\d,]+|none)/gm),
  ].map(([, name, value]) => [name, value === "none" ? null : Number(value!.replaceAll(",", ""))]);
  expect(Object.fromEntries(listed)).toEqual(DEFAULT_LIMITS);
});

test("by default one agent promises no more places than a process has", () => {
  const capacity = describeConfig().find(({ name }) => name === "SVC_LIVE_CAPACITY")!;
  expect(DEFAULT_LIMITS.at_once_per_agent).toBeLessThanOrEqual(Number(capacity.default));
});

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
