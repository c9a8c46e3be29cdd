import * as z from "zod";
import { Mistake, orElse, readValue } from "../../read-value.ts";
import { bytesOf } from "../sound.ts";
import type { SpeechParts, Wire } from "../wire.ts";
import { utter } from "./utter.ts";

/** One connection to Cartesia's `/tts/websocket`: many contexts, each one text and its sound. */
export function cartesia(wire: Wire, _address: object, parts: SpeechParts): void {
  const contexts = new Map<string, AbortController>();
  const refuse = (contextId: string, error: string): void =>
    wire.send({ type: "error", context_id: contextId, status_code: 400, done: true, error });

  async function say(asked: z.output<typeof request>): Promise<void> {
    const { context_id, transcript, language, voice, output_format } = asked;
    if (transcript.trim() === "") return refuse(context_id, "No text was given.");
    const context = new AbortController();
    contexts.set(context_id, context);
    const facts = { context_id, status_code: 206, done: false };
    const isSaid = await utter(
      parts,
      {
        service: "cartesia",
        text: transcript,
        sampleRate: output_format.sample_rate,
        signal: context.signal,
        ...(language !== undefined && { language }),
        ...(voice.id !== undefined && { voice: voice.id }),
      },
      {
        words(words) {
          if (!asked.add_timestamps) return;
          const times = {
            words: words.map((word) => word.text),
            start: words.map((word) => word.startMs / 1_000),
            end: words.map((word) => word.endMs / 1_000),
          };
          wire.send({ type: "timestamps", ...facts, word_timestamps: times });
        },
        piece(pcm) {
          const data = bytesOf(pcm).toString("base64");
          wire.send({ type: "chunk", ...facts, step_time: 1, data });
        },
        cut: () => wire.cut(),
      },
    );
    contexts.delete(context_id);
    if (isSaid) wire.send({ type: "done", context_id, status_code: 200, done: true });
  }

  wire.onClose(() => {
    for (const context of contexts.values()) context.abort();
  });
  wire.onMessage((data) => {
    let contextId = "";
    try {
      const message: unknown = JSON.parse(data.toString());
      const { context_id, cancel } = readValue(order, message);
      contextId = context_id;
      if (cancel) contexts.get(context_id)?.abort();
      else void say(readValue(request, message));
    } catch (error) {
      if (!(error instanceof Mistake) && !(error instanceof SyntaxError)) throw error;
      refuse(contextId, error.message);
    }
  });
}

const order = z.object({ context_id: z.string(), cancel: orElse(z.boolean(), false) });

const request = z.object({
  context_id: z.string(),
  transcript: z.string(),
  add_timestamps: orElse(z.boolean(), false),
  language: z.string().exactOptional(),
  voice: z.object({ id: z.string().exactOptional() }),
  output_format: z.object({
    container: z.literal("raw"),
    encoding: z.literal("pcm_s16le"),
    sample_rate: z.int().min(8_000).max(48_000),
  }),
});
