import { inference, voice } from "@livekit/agents";
import { STT } from "@livekit/agents-plugin-deepgram";
import { LLM, TTS } from "@livekit/agents-plugin-openai";

/** What a program for comparison is told, as JSON in its first argument. */
export interface BareLiveOrder {
  speechUrl: string;
  modelUrl: string;
}

const QUIET_MS = 250;
const CUT_AFTER_MS = 288;
const RESUME_AFTER_MS = 300;

/** The library's session with its own plugins, set as ours is. */
export function bareSession({ speechUrl, modelUrl }: BareLiveOrder): voice.AgentSession {
  return new voice.AgentSession({
    stt: new STT({
      apiKey: "test",
      baseUrl: speechUrl.replace("http", "ws"),
      model: "nova-3",
      language: "en",
      interimResults: true,
      endpointing: 25,
      fillerWords: false,
    }),
    llm: new LLM({ apiKey: "test", baseURL: modelUrl, model: "scripted" }),
    tts: new TTS({
      apiKey: "test",
      baseURL: `${speechUrl}/v1`,
      model: "tts-1",
      voice: "alloy",
      speed: 1,
    }),
    vad: new inference.VAD({ minSilenceDuration: QUIET_MS, maxBufferedSpeech: 20_000 }),
    aecWarmupDuration: null,
    userAwayTimeout: null,
    useTtsAlignedTranscript: false,
    ttsTextTransforms: null,
    turnHandling: {
      turnDetection: "vad",
      endpointing: { minDelay: QUIET_MS, maxDelay: 2_000 },
      interruption: {
        mode: "vad",
        minDuration: CUT_AFTER_MS,
        falseInterruptionTimeout: RESUME_AFTER_MS,
      },
      preemptiveGeneration: { enabled: false },
    },
  });
}
