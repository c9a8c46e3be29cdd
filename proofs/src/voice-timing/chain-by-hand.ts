import { PacedMicrophone } from "@svc/server/testing";
import { BY_HAND } from "./scripted-model.ts";

export interface ChainOptions {
  speechUrl: string;
  modelUrl: string;
  /** Quiet before the visitor's turn is taken for complete. */
  endOfTurnMs: number;
}

/**
 * What an answer by voice takes when nothing stands between the vendors: the visitor's sound goes to the
 * recogniser, its words to the model, the model's first sentence to the voice.
 */
export class ChainByHand {
  readonly #options: ChainOptions;
  readonly #ears: WebSocket;
  readonly #voice: WebSocket;
  readonly #microphone: PacedMicrophone;

  static async open(options: ChainOptions): Promise<ChainByHand> {
    const base = options.speechUrl.replace("http", "ws");
    // Node's WebSocket takes headers, which the DOM's types do not know.
    const withKey = { headers: { authorization: "token test" } } as unknown as string[];
    const ears = new WebSocket(
      `${base}/v1/listen?encoding=linear16&sample_rate=16000&interim_results=true`,
      withKey,
    );
    const voice = new WebSocket(`${base}/tts/websocket?api_key=test`);
    await Promise.all([ears, voice].map(opened));
    return new ChainByHand(options, ears, voice);
  }

  private constructor(options: ChainOptions, ears: WebSocket, voice: WebSocket) {
    this.#options = options;
    this.#ears = ears;
    this.#voice = voice;
    this.#microphone = new PacedMicrophone((pcm) => ears.send(Int16Array.from(pcm)));
  }

  /** Milliseconds from the last of the visitor's voice to the first sound of the answer. */
  async ask(pcm: Int16Array): Promise<number> {
    const transcript = messageWhere(this.#ears, isFinal);
    const { endedAt } = await this.#microphone.say(pcm);
    const [heard] = await Promise.all([transcript, until(endedAt + this.#options.endOfTurnMs)]);
    const sentence = await this.#firstSentence(heard.channel.alternatives[0].transcript);
    const sound = messageWhere(this.#voice, ({ type }) => type === "chunk");
    this.#voice.send(JSON.stringify(order(sentence)));
    await sound;
    return performance.now() - endedAt;
  }

  close(): void {
    this.#microphone.close();
    this.#ears.close();
    this.#voice.close();
  }

  async #firstSentence(said: string): Promise<string> {
    const { body } = await fetch(`${this.#options.modelUrl}/chat/completions`, {
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

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error(`no ${socket.url}`)), { once: true });
  });
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

function until(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, at - performance.now()));
}
