import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { PacedMicrophone } from "@svc/server/testing";
import { BY_HAND } from "./scripted-model.ts";

/**
 * Silence that ends a turn. It counts from the last sample of the voice here; the engine's voice
 * detection hears the end some 80 ms later, and that is most of what Svc adds.
 */
const END_OF_TURN_MS = 300;

/**
 * What an answer by voice takes when nothing stands between the vendors: the visitor's sound goes to the
 * recogniser, its words to the model, the model's first sentence to the voice.
 */
export class ChainByHand {
  readonly #modelUrl: string;
  readonly #recogniser: WebSocket;
  readonly #voice: WebSocket;
  readonly #microphone: PacedMicrophone;

  static async open(speechUrl: string, modelUrl: string): Promise<ChainByHand> {
    const base = speechUrl.replace("http", "ws");
    const listen = `${base}/v1/listen?encoding=linear16&sample_rate=16000&interim_results=true`;
    // Node's WebSocket takes headers, which the DOM's types do not know.
    const options = { headers: { authorization: "token test" } } as unknown as string[];
    const recogniser = new WebSocket(listen, options);
    const voice = new WebSocket(`${base}/tts/websocket?api_key=test`);
    await Promise.all([once(recogniser, "open"), once(voice, "open")]);
    return new ChainByHand(modelUrl, recogniser, voice);
  }

  private constructor(modelUrl: string, recogniser: WebSocket, voice: WebSocket) {
    this.#modelUrl = modelUrl;
    this.#recogniser = recogniser;
    this.#voice = voice;
    this.#microphone = new PacedMicrophone((pcm) => recogniser.send(Int16Array.from(pcm)));
  }

  /** Milliseconds from the last of the visitor's voice to the first sound of the answer. */
  async ask(pcm: Int16Array): Promise<number> {
    const transcript = messageWhere(this.#recogniser, isFinal);
    const { endedAt } = await this.#microphone.say(pcm);
    const [heard] = await Promise.all([
      transcript,
      delay(Math.max(0, endedAt + END_OF_TURN_MS - performance.now())),
    ]);
    const sentence = await this.#firstSentence(heard.channel.alternatives[0].transcript);
    const sound = messageWhere(this.#voice, ({ type }) => type === "chunk");
    this.#voice.send(JSON.stringify(order(sentence)));
    await sound;
    return performance.now() - endedAt;
  }

  close(): void {
    this.#microphone.close();
    this.#recogniser.close();
    this.#voice.close();
  }

  async #firstSentence(said: string): Promise<string> {
    const { body } = await fetch(`${this.#modelUrl}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: BY_HAND,
        stream: true,
        messages: [{ role: "user", content: said }],
      }),
    });
    let text = "";
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      for (const [, word] of piece.matchAll(/"content":("[^"]*")/g)) text += JSON.parse(word!);
      // A sentence is known to be over when the next one begins.
      const end = /[.!?](?= \w)/.exec(text);
      if (end !== null) return text.slice(0, end.index + 1);
    }
    return text;
  }
}

interface SpeechMessage {
  type: string;
  is_final: boolean;
  channel: { alternatives: [{ transcript: string }] };
}

function isFinal({ type, is_final, channel }: SpeechMessage): boolean {
  return type === "Results" && is_final && channel.alternatives[0].transcript !== "";
}

function order(transcript: string): object {
  return {
    context_id: crypto.randomUUID(),
    transcript,
    continue: false,
    voice: { mode: "id", id: "by-hand" },
    output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: 24_000 },
  };
}

function messageWhere(
  socket: WebSocket,
  fits: (message: SpeechMessage) => boolean,
): Promise<SpeechMessage> {
  return new Promise((resolve) => {
    socket.addEventListener("message", function take({ data }: MessageEvent) {
      const message = JSON.parse(String(data)) as SpeechMessage;
      if (!fits(message)) return;
      socket.removeEventListener("message", take);
      resolve(message);
    });
  });
}
