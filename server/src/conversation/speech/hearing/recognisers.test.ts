import { setTimeout as delay } from "node:timers/promises";
import { stt } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { expect, it, onTestFinished, vi } from "vitest";
import { createLog, systemClock } from "#platform";
import { speak, startSpeech } from "#testing";
import type { RehearsalSpeech, SpeechFault } from "#testing";
import type { HearingConfig } from "../vendor.ts";
import { Recognisers } from "./recognisers.ts";

const until = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 8_000, interval: 10 });

const standIn = async (): Promise<RehearsalSpeech> => {
  const speech = await startSpeech();
  onTestFinished(() => speech.close());
  return speech;
};

/** A session with Deepgram's own plugin, and with another recogniser where one is given. */
function session(
  first: RehearsalSpeech,
  fallback?: RehearsalSpeech,
  fallbackProvider: HearingConfig["provider"] = "deepgram",
) {
  const at = (
    { url }: RehearsalSpeech,
    provider: HearingConfig["provider"] = "deepgram",
  ): HearingConfig => ({
    provider,
    url,
    key: "key",
    model: undefined,
  });
  const recognisers = new Recognisers({
    first: at(first),
    fallback: fallback && at(fallback, fallbackProvider),
    clock: systemClock,
    log: createLog("silent"),
    limits: { provenMs: 2_200, deafVoiceMs: 500, deafWaitMs: 600, giveUpMs: 1_500 },
  });
  const hearing = recognisers.open("en-GB", undefined);
  const finals: string[] = [];
  const errors: Error[] = [];
  hearing.on("error", ({ error }) => void errors.push(error));
  const stream = hearing.stream();
  void (async () => {
    for await (const { type, alternatives } of stream) {
      if (type === stt.SpeechEventType.FINAL_TRANSCRIPT) finals.push(alternatives?.[0]?.text ?? "");
    }
  })();
  onTestFinished(() => stream.close());

  let sample = 0;
  const sounds = async (ms: number, loudness: number): Promise<void> => {
    for (let soundedMs = 0; soundedMs < ms; soundedMs += 32) {
      const pcm = Int16Array.from({ length: 512 }, () => {
        const isDip = Math.floor(++sample / 1_600) % 4 === 0;
        return Math.sin(sample / 9) * (isDip ? 400 : loudness);
      });
      stream.pushFrame(new AudioFrame(pcm, 16_000, 1, 512));
      await delay(8);
    }
  };
  const says = async (ms: number): Promise<void> => {
    await sounds(ms, 8_000);
    await sounds(600, 0);
  };
  return { recognisers, finals, errors, says, sounds, stream };
}

// L10
it.each<[string, SpeechFault]>([
  ["breaks off while somebody speaks", { kind: "cut_utterance", times: 1 }],
  ["says everything twice", { kind: "duplicate_finals" }],
  ["is slow to make words final", { kind: "late_finals", afterMs: 400 }],
])("hears every word once from a recogniser that %s", async (_, fault) => {
  const speech = await standIn();
  const { finals, errors, says } = session(speech);
  speech.hears(["One two three.", "Four five six.", "Seven eight nine."]);
  await says(1_200);
  await until(() => expect(finals).toEqual(["One two three."]));
  await speech.setFaults([fault]);
  await says(1_200);
  await until(() => expect(finals).toEqual(["One two three.", "Four five six."]));
  await speech.setFaults([]);
  await says(1_200);
  await until(() => expect(finals.at(-1)).toBe("Seven eight nine."));
  await delay(100);
  expect(finals).toHaveLength(3);
  expect(errors).toEqual([]);
});

// L10
it("is back within a second over a new connection", async () => {
  const speech = await standIn();
  const { finals, says } = session(speech);
  speech.hears(["One.", "Two."]);
  await says(800);
  await until(() => expect(finals).toEqual(["One."]));
  await speech.setFaults([{ kind: "cut_utterance", times: 1 }]);
  await says(800);
  await until(() => expect(finals).toEqual(["One.", "Two."]));
  const { recent } = speech.requests();
  const lostAt = recent.find(({ what }) => what === "closed")!.atMs;
  const backAt = recent.findLast(({ what }) => what === "connected")!.atMs;
  expect(backAt - lostAt).toBeLessThan(1_000);
});

// L10
it.each<[string, SpeechFault]>([
  ["has gone deaf", { kind: "deaf" }],
  ["has closed its port", { kind: "refuse" }],
  ["refuses the key all at once", { kind: "bad_key" }],
])("goes on with the fallback when the first %s", async (_, fault) => {
  const [first, fallback] = [await standIn(), await standIn()];
  first.hears(["Hello."]);
  fallback.hears(["What does it cost?"]);
  const { finals, errors, says } = session(first, fallback);
  await says(800);
  await until(() => expect(finals).toEqual(["Hello."]));
  const cut: SpeechFault[] = fault.kind === "bad_key" ? [{ kind: "cut_utterance", times: 1 }] : [];
  await first.setFaults([fault, ...cut]);
  await says(3_000);
  await until(() => expect(finals).toEqual(["Hello.", "What does it cost?"]));
  expect(errors).toEqual([]);
});

// L10
it("goes on with a fallback that hears whole utterances", async () => {
  const [first, fallback] = [await standIn(), await standIn()];
  await first.setFaults([{ kind: "refuse" }]);
  fallback.hears(["What does it cost?", "And for twenty?"]);
  const { finals, stream, sounds } = session(first, fallback, "openai");
  const { pcm } = await speak("What does it cost for a team of twenty people?");
  for (const count of [1, 2]) {
    stream.pushFrame(new AudioFrame(pcm, 16_000, 1, pcm.length));
    await sounds(900, 0);
    await until(() => expect(finals).toHaveLength(count));
  }
  expect(finals).toEqual(["What does it cost?", "And for twenty?"]);
});

// L10, L12
it("says why nobody hears, and that others need not try", async () => {
  const speech = await standIn();
  await speech.setFaults([{ kind: "bad_key" }]);
  const { recognisers, errors } = session(speech);
  await until(() => expect(recognisers.hear).toBe(false));
  await until(() => expect(errors).toHaveLength(1));
  expect(errors[0]!.message).toContain("deepgram refuses the key");
});
