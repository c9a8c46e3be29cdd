import type { Clock } from "#platform";
import { listenTo } from "./listen-to.ts";
import type { Listened } from "./listen-to.ts";
import type { HearingConfig, SpeechConfig, VoiceConfig } from "./vendor.ts";
import type { SpeechCheck } from "./speech.ts";
import { createVoice } from "./voices/voices.ts";
import { inOrder } from "#models";
import { sayInTime } from "./voices/vendor-voice.ts";

const SENTENCE = "Good morning, this is a test of the voice.";
const LANGUAGE = "en";
/** Longer than in a conversation: an operator wants the result, even if it is slow. */
const LIMITS = { firstSoundMs: 10_000, gapMs: 5_000 };
/** Synthetic voices and small recognisers misunderstand each other now and then. */
const SHARE_OF_WORDS = 0.5;
/** False until this was run against the vendors themselves. */
const VERIFIED = false;

/** Says a sentence with every voice, and has every recogniser listen to the first one that spoke. */
export async function checkSpeech({
  voice,
  hearing,
  clock,
}: SpeechConfig & { clock: Clock }): Promise<SpeechCheck[]> {
  const said = await Promise.all(inOrder(voice).map((config) => trySaying(config, clock)));
  const speaker = said.find(({ pcm }) => pcm.length > 0);
  if (speaker === undefined) return said.map(({ check }) => check);
  const heard = await Promise.all(
    inOrder(hearing).map((config) =>
      tryHearing(config, () => listenTo(speaker.pcm, { config, language: LANGUAGE, clock })),
    ),
  );
  const listener = heard.find(({ text }) => text !== "");
  const checks = [...said, ...heard].map(({ check }) => check);
  return listener ? [...checks, roundTrip(speaker.check, listener)] : checks;
}

interface Said {
  check: SpeechCheck;
  pcm: Int16Array;
}

interface Heard {
  check: SpeechCheck;
  text: string;
}

async function trySaying(config: VoiceConfig, clock: Clock): Promise<Said> {
  const nowMs = (): number => clock.monotonicMs();
  const voice = createVoice({ config, language: LANGUAGE, name: undefined });
  const pieces: Int16Array[] = [];
  const startedAt = nowMs();
  let firstAt: number | undefined;
  const onSound = ({ pcm }: { pcm: Int16Array }): void => {
    firstAt ??= nowMs();
    pieces.push(pcm);
  };
  const facts = { part: "voice" as const, provider: config.provider, verified: VERIFIED };
  try {
    const { signal } = new AbortController();
    await sayInTime(voice, SENTENCE, { limits: LIMITS, signal, onSound });
    const ms = Math.round((firstAt ?? nowMs()) - startedAt);
    const isSilent = pieces.length === 0;
    const detail = isSilent ? "answered without a sound" : `spoke after ${ms} ms`;
    return { check: { ...facts, ok: !isSilent, ms, detail }, pcm: joined(pieces) };
  } catch (error) {
    const ms = Math.round(nowMs() - startedAt);
    return { check: { ...facts, ok: false, ms, detail: reasonOf(error) }, pcm: joined(pieces) };
  } finally {
    voice.close();
  }
}

async function tryHearing(
  { provider }: HearingConfig,
  listen: () => Promise<Listened>,
): Promise<Heard> {
  const facts = { part: "hearing" as const, provider, verified: VERIFIED };
  try {
    const { text, ms } = await listen();
    const detail =
      text === "" ? "heard no words in a spoken sentence" : `understood after ${ms} ms`;
    return { check: { ...facts, ok: text !== "", ms, detail }, text };
  } catch (error) {
    return { check: { ...facts, ok: false, ms: 0, detail: reasonOf(error) }, text: "" };
  }
}

function roundTrip({ provider: speaker, ms }: SpeechCheck, { text, check }: Heard): SpeechCheck {
  const heard = new Set(wordsOf(text));
  const said = wordsOf(SENTENCE);
  const understood = said.filter((word) => heard.has(word)).length;
  return {
    part: "round_trip",
    provider: `${speaker} to ${check.provider}`,
    ok: understood >= said.length * SHARE_OF_WORDS,
    ms: ms + check.ms,
    detail: `${understood} of ${said.length} words came back`,
    verified: VERIFIED,
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function joined(pieces: Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
