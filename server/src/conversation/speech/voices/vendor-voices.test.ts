import { setTimeout as delay } from "node:timers/promises";
import { startSpeech } from "#testing";
import type { RehearsalSpeech, SpeechFault, SpeechOptions } from "#testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TimedWord } from "../../heard/word-times.ts";
import { VendorAway } from "../vendor.ts";
import type { VoiceConfig } from "../vendor.ts";
import { createVoice } from "./voices.ts";
import { VOICE_SAMPLE_RATE } from "./sound.ts";
import { sayInTime } from "./vendor-voice.ts";
import type { VendorVoice } from "./vendor-voice.ts";

const SENTENCE = "Our product costs twenty nine dollars, per user and month.";
const LIMITS = { firstSoundMs: 400, gapMs: 300 };

const vendors = [
  { provider: "cartesia", service: "cartesia", tellsWords: true, voice: "f786b574" },
  { provider: "elevenlabs", service: "elevenlabs", tellsWords: true, voice: "bIHbv24M" },
  { provider: "deepgram", service: "deepgram_speak", tellsWords: false, voice: "aura-2-thalia-de" },
  { provider: "openai", service: "openai_speech", tellsWords: false, voice: "alloy" },
] as const;

interface Stage {
  standIn: RehearsalSpeech;
  voice: VendorVoice;
}

async function stage(
  provider: VoiceConfig["provider"],
  options: SpeechOptions = {},
  config: Partial<VoiceConfig> = {},
): Promise<Stage> {
  const standIn = await startSpeech({ speed: 20, ...options });
  const place = { provider, url: standIn.url, key: "key", model: undefined, voice: undefined };
  const voice = createVoice({
    config: { ...place, ...config },
    language: "de-AT",
    name: undefined,
  });
  onTestFinished(async () => {
    voice.close();
    await standIn.close();
  });
  return { standIn, voice };
}

interface Came {
  ms: number;
  words: TimedWord[];
  firstAtMs: number | undefined;
  error: unknown;
}

async function say(
  voice: VendorVoice,
  sentence = SENTENCE,
  { signal } = new AbortController(),
): Promise<Came> {
  const came: Came = { ms: 0, words: [], firstAtMs: undefined, error: undefined };
  const startedAt = performance.now();
  const onSound = ({ pcm, words }: { pcm: Int16Array; words: TimedWord[] }): void => {
    if (pcm.length > 0) came.firstAtMs ??= performance.now() - startedAt;
    came.ms += (pcm.length / VOICE_SAMPLE_RATE) * 1_000;
    came.words.push(...words);
  };
  await sayInTime(voice, sentence, { limits: LIMITS, signal, onSound }).catch((error: unknown) => {
    came.error = error;
  });
  return came;
}

const toneMs = (sentence: string): number =>
  sentence.split(" ").reduce((ms, word) => ms + (word.length + 1) * 60, 0);

describe.each(vendors)(
  "the voice of $provider",
  ({ provider, service, tellsWords, voice: name }) => {
    const fault = (kind: SpeechFault["kind"]): SpeechOptions => ({ faults: [{ kind, service }] });
    const happened = ({ standIn }: Stage, what: string): number =>
      standIn.requests().recent.filter((one) => one.service === service && one.what === what)
        .length;

    it("says all of a sentence, in the language and with the voice that were asked for", async () => {
      const { standIn, voice } = await stage(provider, {}, { voice: name });
      const { ms, error } = await say(voice);
      expect(error).toBeUndefined();
      expect(ms).toBeCloseTo(toneMs(SENTENCE), 0);
      const asked = standIn.requests().recent.find(({ what }) => what === "asked");
      expect(asked).toMatchObject({ text: SENTENCE, voice: name });
      expect(asked?.language).toBe(tellsWords ? "de" : undefined);
    });

    it.skipIf(tellsWords)("tells where the sentence begins", async () => {
      const { voice } = await stage(provider);
      const { words } = await say(voice);
      expect(words).toEqual([{ text: SENTENCE, startMs: 0 }]);
    });

    it.runIf(tellsWords)("tells when each of its words sounds", async () => {
      const { voice } = await stage(provider);
      const { ms, words } = await say(voice);
      expect(words.map(({ text }) => text).join(" ")).toBe(SENTENCE);
      let lastMs = 0;
      for (const { startMs, endMs } of words) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs);
        expect(endMs).toBeGreaterThan(startMs);
        expect(endMs).toBeLessThanOrEqual(ms);
        lastMs = endMs!;
      }
    });

    it("begins to sound long before all of it has come", async () => {
      const { voice } = await stage(provider, { speed: 8 });
      const startedAt = performance.now();
      const { firstAtMs } = await say(voice);
      expect(firstAtMs).toBeLessThan((performance.now() - startedAt) / 2);
    });

    it("says several sentences at a time without mixing them up", async () => {
      const { voice } = await stage(provider);
      const sentences = ["One.", "Two and three.", "Four, five, six and seven."];
      const all = await Promise.all(sentences.map((sentence) => say(voice, sentence)));
      expect(all.map(({ ms }) => Math.round(ms))).toEqual(sentences.map(toneMs));
    });

    it("stops the vendor when it is cut, and speaks again afterwards", async () => {
      const set = await stage(provider, { speed: 2 });
      const stop = new AbortController();
      const cut = say(set.voice, SENTENCE, stop);
      await vi.waitFor(() => expect(happened(set, "asked")).toBe(1));
      await delay(100);
      stop.abort();
      expect((await cut).ms).toBeLessThan(toneMs(SENTENCE));
      await vi.waitFor(() => expect(happened(set, "cancelled")).toBe(1));
      const next = await say(set.voice, "And now?");
      expect(next).toMatchObject({ error: undefined });
      expect(next.ms).toBeCloseTo(toneMs("And now?"), 0);
    });

    // L2
    it.each([
      ["bad_key", "refuses the key: check"],
      ["rate_limit", "gives no more: check"],
      ["error_500", "answered 500"],
      ["refuse", "is not to be reached: check"],
    ] as const)("says what to do when the vendor refuses (%s)", async (kind, words) => {
      const { voice } = await stage(
        provider,
        kind === "refuse" ? { faults: [{ kind }] } : fault(kind),
      );
      const { error, ms } = await say(voice);
      expect(error).toBeInstanceOf(VendorAway);
      expect(String(error)).toContain(`${provider} ${words}`);
      expect(ms).toBe(0);
      await expect(voice.probe()).rejects.toBeInstanceOf(VendorAway);
    });

    // L3 L11
    it.each([
      ["mute", "stays silent", LIMITS.firstSoundMs],
      ["stall_sentence", "fell silent", LIMITS.gapMs],
    ] as const)("gives up on a vendor that keeps it waiting (%s)", async (kind, words, limitMs) => {
      const { voice } = await stage(provider, fault(kind));
      const startedAt = performance.now();
      const { error } = await say(voice);
      expect(String(error)).toContain(`${provider} ${words}`);
      expect(performance.now() - startedAt).toBeLessThan(limitMs + 1_000);
    });

    // L11
    it("fails when the vendor breaks off in the middle, and speaks again afterwards", async () => {
      const { voice } = await stage(provider, { faults: [{ kind: "cut_sentence", times: 1 }] });
      const { error, ms } = await say(voice);
      expect(error).toBeInstanceOf(VendorAway);
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(toneMs(SENTENCE));
      expect(await say(voice)).toMatchObject({ error: undefined });
    });

    it("goes on when the vendor was restarted while nobody spoke", async () => {
      const { standIn, voice } = await stage(provider);
      await say(voice, "One.");
      await standIn.setFaults([{ kind: "refuse" }]);
      await standIn.setFaults([]);
      expect(await say(voice, "Two.")).toMatchObject({ error: undefined });
    });

    it("shows its key without saying anything", async () => {
      const { standIn, voice } = await stage(provider, { apiKey: "key" });
      await voice.probe();
      expect(standIn.requests().recent.filter(({ what }) => what === "asked")).toEqual([]);
      const wrong = await stage(provider, { apiKey: "another" });
      await expect(wrong.voice.probe()).rejects.toThrow("refuses the key");
    });
  },
);

describe("a voice over a WebSocket", () => {
  it.each(["cartesia", "elevenlabs"] as const)(
    "speaks over one connection (%s)",
    async (provider) => {
      const { standIn, voice } = await stage(provider);
      for (const sentence of ["One.", "Two.", "Three."]) await say(voice, sentence);
      const connected = standIn.requests().recent.filter(({ what }) => what === "connected");
      expect(connected).toHaveLength(1);
    },
  );

  it("keeps its connection over a cut, where the vendor knows how to stop", async () => {
    const { standIn, voice } = await stage("cartesia", { speed: 1 });
    for (const _ of [1, 2, 3]) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 60);
      await say(voice, SENTENCE, stop);
    }
    const count = (what: string): number =>
      standIn.requests().recent.filter((one) => one.what === what).length;
    await vi.waitFor(() => expect(count("cancelled")).toBe(3));
    expect(count("connected")).toBe(1);
  });
});
