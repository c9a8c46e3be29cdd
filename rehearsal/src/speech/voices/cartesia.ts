import { flag, Mistake, number, oneOf, openObject, optional, or, text } from "../../shape.ts";
import type { SpeechParts } from "../speech-parts.ts";
import { bytesOf } from "../sound.ts";
import type { Wire } from "../wire.ts";
import { Monologue } from "./monologue.ts";
import type { Manner } from "./utter.ts";

/** One connection to Cartesia's `/tts/websocket`: many contexts, each a text in parts and its sound. */
export function cartesia(wire: Wire, _address: object, parts: SpeechParts): void {
  const contexts = new Map<string, { monologue: Monologue; flushes: number }>();
  const refuse = (contextId: string, error: string): void =>
    wire.send({ type: "error", context_id: contextId, status_code: 400, done: true, error });

  function open(asked: Asked): { monologue: Monologue; flushes: number } {
    const facts = { context_id: asked.context_id, status_code: 206, done: false };
    const context = {
      flushes: 0,
      monologue: new Monologue(parts, mannerOf(asked), {
        words(words) {
          if (!asked.add_timestamps) return;
          const times = {
            words: words.map((word) => word.text),
            start: words.map((word) => word.startMs / 1_000),
            end: words.map((word) => word.endMs / 1_000),
          };
          wire.send({ type: "timestamps", ...facts, word_timestamps: times });
        },
        piece: (pcm) =>
          wire.send({
            type: "chunk",
            ...facts,
            step_time: 1,
            data: bytesOf(pcm).toString("base64"),
          }),
        cut: () => wire.cut(),
      }),
    };
    contexts.set(asked.context_id, context);
    return context;
  }

  function take(asked: Asked): void {
    const { context_id } = asked;
    const isEmpty = asked.transcript.trim() === "" && !contexts.has(context_id);
    if (isEmpty && !asked.continue) return refuse(context_id, "No text was given.");
    const context = contexts.get(context_id) ?? open(asked);
    context.monologue.say(asked.transcript);
    if (asked.flush) {
      const flush_id = (context.flushes += 1);
      context.monologue.whenSaid(() =>
        wire.send({
          type: "flush_done",
          context_id,
          status_code: 206,
          done: false,
          flush_done: true,
          flush_id,
        }),
      );
    }
    if (asked.continue) return;
    context.monologue.whenSaid(() => {
      contexts.delete(context_id);
      wire.send({ type: "done", context_id, status_code: 200, done: true });
    });
  }

  wire.onClose(() => {
    for (const { monologue } of contexts.values()) monologue.stop();
  });
  wire.onMessage((data) => {
    let contextId = "";
    try {
      const message: unknown = JSON.parse(data.toString());
      const { context_id, cancel } = order(message, "");
      contextId = context_id;
      if (!cancel) return take(request(message, ""));
      contexts.get(context_id)?.monologue.stop();
      contexts.delete(context_id);
    } catch (error) {
      if (!(error instanceof Mistake) && !(error instanceof SyntaxError)) throw error;
      refuse(contextId, error.message);
    }
  });
}

const order = openObject({ context_id: text, cancel: or(flag, false) });

interface Asked {
  context_id: string;
  transcript: string;
  continue: boolean;
  flush: boolean;
  add_timestamps: boolean;
  language?: string | undefined;
  voice: { id?: string | undefined };
  output_format: { container: "raw"; encoding: "pcm_s16le"; sample_rate: number };
}

const request = openObject<Asked>({
  context_id: text,
  transcript: text,
  continue: or(flag, false),
  flush: or(flag, false),
  add_timestamps: or(flag, false),
  language: optional(text),
  voice: openObject({ id: optional(text) }),
  output_format: openObject({
    container: oneOf("raw"),
    encoding: oneOf("pcm_s16le"),
    sample_rate: number({ from: 8_000, to: 48_000, whole: true }),
  }),
});

function mannerOf({ language, voice, output_format }: Asked): Manner {
  return {
    service: "cartesia",
    sampleRate: output_format.sample_rate,
    ...(language !== undefined && { language }),
    ...(voice.id !== undefined && { voice: voice.id }),
  };
}
