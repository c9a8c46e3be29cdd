import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { PacedMicrophone } from "@svc/server/testing";
import type { VoiceVisitor } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { Arrivals } from "./speaking-visitor.ts";
import { BY_HAND } from "./talk-stage.ts";
import type { TalkStage } from "./talk-stage.ts";

const MAX_TIMES = 1.15;
const MAX_MORE_MS = { p50: 60, p95: 150 };
const QUESTIONS = ["What does it cost?", "How does it work?", "Can I try it today?"];
const ANSWER = "Yes, gladly. Go on.";
/** What vendors take to the first of it, in the middle of what they promise. */
const THINKS_MS = 350;
const SPEAKS_MS = 140;
const PLANTED_MS = 250;
const PLANTED_TURNS = 3;
const PATIENCE_MS = 5_000;

export const answerIsQuick: Claim<TalkStage> = {
  promise:
    "Between the last of a visitor's words and the first sound of the answer, Svc itself adds next to nothing to what the vendors take.",
  bound: `≤ ${MAX_TIMES} times the same chain by hand; in --full p50 ≤ +${MAX_MORE_MS.p50} ms, p95 ≤ +${MAX_MORE_MS.p95} ms; ${PLANTED_MS} ms planted are noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ full, sized, say, progress, timeLeftMs, onEnd }, { model, serve }) => {
    model.answers(() => ANSWER, THINKS_MS);
    const { speech, enter } = await serve(onEnd, { delayMs: SPEAKS_MS });
    const byHand = await ChainByHand.open(speech.url, model.baseUrl);
    onEnd(() => byHand.close());
    const visitor = await enter();
    const arrivals = new Arrivals(visitor);
    const clips = await Promise.all(
      QUESTIONS.map(async (text) => ({ text, pcm: (await speak(text)).pcm })),
    );
    /** Both hear the same at the same moment, so that both meet the same load. */
    async function ask(turn: number): Promise<{ ours: number; byHand: number }> {
      const { text, pcm } = clips[turn % clips.length]!;
      speech.hears([text, text]);
      const [ours, chain] = await Promise.all([answerMs(visitor, arrivals, pcm), byHand.ask(pcm)]);
      return { ours, byHand: chain };
    }

    await ask(0);
    const turns: { ours: number; byHand: number }[] = [];
    const total = sized({ quick: 10, full: 120 });
    while (turns.length < total && timeLeftMs() > 15_000) {
      turns.push(await ask(turns.length));
      progress(turns.length, total, "turns");
    }
    const at = (who: "ours" | "byHand", share: number): number =>
      quantile(
        turns.map((turn) => turn[who]),
        share,
      );
    const times = at("ours", 0.5) / at("byHand", 0.5);
    const more = (share: number): number => at("ours", share) - at("byHand", share);

    model.holdBack(PLANTED_MS);
    const slow: number[] = [];
    for (let turn = 0; turn < PLANTED_TURNS; turn += 1) slow.push((await ask(turn)).ours);
    const planted = quantile(slow, 0.5) / at("byHand", 0.5);
    say(`control, ${PLANTED_MS} ms planted: ${planted.toFixed(2)} times`);

    const isQuick = !full || (more(0.5) <= MAX_MORE_MS.p50 && more(0.95) <= MAX_MORE_MS.p95);
    return {
      figure: `${times.toFixed(2)} times, p50 +${more(0.5).toFixed(0)} ms, p95 +${more(0.95).toFixed(0)} ms over ${at("byHand", 0.5).toFixed(0)} ms`,
      ok: turns.length >= 8 && times <= MAX_TIMES && isQuick && planted > MAX_TIMES,
      size: `${turns.length} turns`,
    };
  },
};

/** From the last of what is asked to the first sound of the answer. */
async function answerMs(
  visitor: VoiceVisitor,
  arrivals: Arrivals,
  pcm: Int16Array,
): Promise<number> {
  const { endedAt } = await visitor.say(pcm);
  const firstAt = (): number | undefined => arrivals.first("sound", endedAt);
  if (!(await waitUntil(() => firstAt() !== undefined, PATIENCE_MS)))
    throw new Error("an answer did not come");
  await waitUntil(() => visitor.heard.at(-1)?.end === "finished", PATIENCE_MS);
  return firstAt()! - endedAt;
}

/**
 * Silence that ends a turn. It counts from the last sample of the voice here; the engine's voice
 * detection hears the end some 80 ms later, and that is most of what Svc adds.
 */
const END_OF_TURN_MS = 300;

/**
 * What an answer by voice takes when nothing stands between the vendors: the visitor's sound goes to the
 * recogniser, its words to the model, the model's first sentence to the voice.
 */
class ChainByHand {
  readonly #modelUrl: string;
  readonly #recogniser: WebSocket;
  readonly #voice: WebSocket;
  readonly #microphone: PacedMicrophone;

  static async open(speechUrl: string, modelUrl: string): Promise<ChainByHand> {
    const base = speechUrl.replace("http", "ws");
    const listen = `${base}/v1/listen?encoding=linear16&sample_rate=16000&interim_results=true`;
    // Node's WebSocket takes headers, which the DOM's types do not know.
    const withKey = (headers: object): string[] => ({ headers }) as unknown as string[];
    const recogniser = new WebSocket(listen, withKey({ authorization: "token test" }));
    const voice = new WebSocket(`${base}/tts/websocket`, withKey({ "x-api-key": "test" }));
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
