import { cartesia } from "./cartesia.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { HttpVoice, deepgram, openai } from "./http-voice.ts";
import { SocketVoice } from "./socket-voice.ts";
import type { VendorVoice, VoicePlace } from "./vendor-voice.ts";

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
