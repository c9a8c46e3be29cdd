import type { VoiceConfig } from "../speech.ts";
import { cartesia } from "./cartesia.ts";
import { deepgram } from "./deepgram.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { HttpVoice } from "./http-voice.ts";
import { openai } from "./openai.ts";
import { SocketVoice } from "./socket-voice.ts";
import type { VendorVoice } from "./vendor-voice.ts";

/** Which voice, of whom, in which language. */
export interface VoicePlace {
  config: VoiceConfig;
  language: string;
  /** The agent's own choice. */
  name: string | undefined;
}

/** The voice of a provider. It connects when it is first needed. */
export function createVoice(place: VoicePlace): VendorVoice {
  switch (place.config.provider) {
    case "cartesia":
      return new SocketVoice(cartesia(place));
    case "elevenlabs":
      return new SocketVoice(elevenlabs(place));
    case "deepgram":
      return new HttpVoice(deepgram(place));
    case "openai":
      return new HttpVoice(openai(place));
  }
}
