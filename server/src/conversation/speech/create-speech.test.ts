import { systemClock } from "#platform";
import { captureLog, startSpeech } from "#testing";
import type { RehearsalSpeech, SpeechFault, SpeechOptions } from "#testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSpeech } from "./create-speech.ts";
import type { WatchedSpeech } from "./speech.ts";
import { speakSentences } from "./voices/speak-sentences.ts";

interface Stage {
  standIn: RehearsalSpeech;
  speech: WatchedSpeech;
  log: ReturnType<typeof captureLog>;
}

async function stage(options: SpeechOptions = {}): Promise<Stage> {
  const standIn = await startSpeech({ speed: 50, otherwise: HEARD, ...options });
  const log = captureLog();
  const place = { url: standIn.url, key: "key", model: undefined, voice: undefined };
  const speech = createSpeech({
    hearing: {
      first: { ...place, provider: "deepgram" },
      fallback: { ...place, provider: "openai" },
    },
    voice: {
      first: { ...place, provider: "cartesia" },
      fallback: { ...place, provider: "openai" },
    },
    clock: systemClock,
    log: log.log,
  });
  onTestFinished(async () => {
    speech.stopWatching();
    await standIn.close();
  });
  return { standIn, speech, log };
}

const HEARD = "good morning this is a test of the boys";
const everywhere = (kind: SpeechFault["kind"], services: SpeechFault["service"][]): SpeechFault[] =>
  services.flatMap((service) => (service === undefined ? [] : [{ kind, service }]));

describe("speech", () => {
  // L12
  it("does not answer while nobody can hear, or nobody can speak", async () => {
    const { standIn, speech } = await stage();
    await speech.watch();
    expect(speech.answers).toBe(true);

    await standIn.setFaults(everywhere("bad_key", ["cartesia"]));
    await speech.watch();
    expect(speech.answers).toBe(true);

    await standIn.setFaults(everywhere("bad_key", ["deepgram_listen", "openai_speech"]));
    await speech.watch();
    expect(speech.answers).toBe(false);

    await standIn.setFaults([{ kind: "refuse" }]);
    await speech.watch();
    expect(speech.answers).toBe(false);

    await standIn.setFaults([]);
    await speech.watch();
    expect(speech.answers).toBe(true);
  });

  it("tells the operator who is away and why, once", async () => {
    const { speech, log } = await stage({
      faults: [{ kind: "bad_key", service: "deepgram_listen" }],
    });
    await speech.watch();
    await speech.watch();
    const warnings = log.lines().filter((line) => line["level"] === "warn");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ part: "hearing", provider: "deepgram" });
    expect(JSON.stringify(warnings)).toContain("refuses the key");
  });

  it("gives an agent's voice by its name to the first provider only", async () => {
    const { standIn, speech } = await stage({
      faults: [{ kind: "bad_key", service: "cartesia" }],
    });
    const sentences = async function* () {
      yield "Hello.";
    };
    const { signal } = new AbortController();
    for await (const _ of speakSentences(
      speech.voice("en", "ada", undefined),
      sentences(),
      signal,
    ));
    await standIn.setFaults([]);
    for await (const _ of speakSentences(
      speech.voice("en", "ada", undefined),
      sentences(),
      signal,
    ));
    const said = standIn.requests().recent.filter(({ what }) => what === "said");
    expect(said.map(({ service, voice }) => `${service} ${voice}`)).toEqual([
      "openai_speech alloy",
      "cartesia ada",
    ]);
  });
});

describe("trying speech out", { timeout: 30_000 }, () => {
  it("says a sentence with everybody, and has everybody listen", async () => {
    const { speech } = await stage({ voice: "model" });
    const checks = await speech.check();
    expect(checks.map(({ part, provider, ok }) => `${part} ${provider} ${ok}`)).toEqual([
      "voice cartesia true",
      "voice openai true",
      "hearing deepgram true",
      "hearing openai true",
      "round_trip cartesia to deepgram true",
    ]);
    expect(checks.at(-1)?.detail).toBe("8 of 9 words came back");
    expect(checks.every(({ verified }) => !verified)).toBe(true);
  });

  it("says what is wrong with whom", async () => {
    const { speech } = await stage({
      voice: "model",
      otherwise: "bla",
      faults: everywhere("bad_key", ["cartesia", "openai_transcriptions"]),
    });
    const checks = await speech.check();
    expect(
      checks.map(({ part, ok, detail }) => `${part} ${ok} ${detail.replace(/\d+ ms/, "… ms")}`),
    ).toEqual([
      "voice false cartesia refuses the key: check the one that is set for it",
      "voice true spoke after … ms",
      "hearing true understood after … ms",
      "hearing false openai refuses the key: check the one that is set for it",
      "round_trip false 0 of 9 words came back",
    ]);
  });

  it("tries no recogniser while nobody can speak", async () => {
    const { speech } = await stage({ faults: [{ kind: "refuse" }] });
    const checks = await speech.check();
    expect(checks.map(({ part, ok }) => `${part} ${ok}`)).toEqual(["voice false", "voice false"]);
  });
});
