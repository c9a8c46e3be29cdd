import { readFile } from "node:fs/promises";
import { AgentFile, TranscriptEntry } from "@svc/contract/schemas";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { describeConfig, readSpeechSettings } from "../config.ts";

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
