/** One of the vendors' interfaces that are stood in for. */
export type Service = Ears | Voices;

type Ears = "deepgram_listen" | "openai_transcriptions";
type Voices = "cartesia" | "elevenlabs" | "deepgram_speak" | "openai_speech";

export const earServices: readonly Ears[] = ["deepgram_listen", "openai_transcriptions"];
export const voiceServices: readonly Voices[] = [
  "cartesia",
  "elevenlabs",
  "deepgram_speak",
  "openai_speech",
];
