import * as z from "zod";
import { orElse, readJson } from "../../read-value.ts";
import { bytesOf } from "../sound.ts";
import type { TimedWord } from "../sound.ts";
import type { SpeechParts, Wire } from "../wire.ts";
import { utter } from "./utter.ts";

const MAX_CONTEXTS = 5;
const PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/;

interface Context {
  /** What waits until it is flushed. */
  text: string;
  /** False once it was interrupted. */
  isSaid: Promise<boolean>;
}

/** One connection to ElevenLabs' `multi-stream-input`: a few contexts, each a text in parts and its sound. */
export function elevenlabs(
  wire: Wire,
  { path, query }: { path: string; query: URLSearchParams },
  parts: SpeechParts,
): void {
  const contexts = new Map<string, Context>();
  const closed = new AbortController();
  const language = query.get("language_code");

  async function say(contextId: string, said: string): Promise<boolean> {
    // Goes with the first piece of sound.
    let alignment: Alignment | null = null;
    return utter(
      parts,
      {
        service: "elevenlabs",
        text: said,
        sampleRate: Number(/^pcm_(\d+)$/.exec(query.get("output_format") ?? "")?.[1] ?? 24_000),
        signal: closed.signal,
        voice: decodeURIComponent(PATH.exec(path)?.[1] ?? ""),
        ...(language !== null && { language }),
      },
      {
        words(words) {
          if (query.get("sync_alignment") === "true") alignment = alignmentOf(words);
        },
        piece(pcm) {
          const audio = bytesOf(pcm).toString("base64");
          wire.send({ contextId, audio, alignment, normalizedAlignment: alignment, isFinal: null });
          alignment = null;
        },
        cut: () => wire.cut(),
      },
    );
  }

  async function closeContext(contextId: string, { isSaid }: Context): Promise<void> {
    if (!(await isSaid)) return;
    contexts.delete(contextId);
    wire.send({ contextId, isFinal: true });
  }

  wire.onClose(() => closed.abort());
  wire.onMessage((data) => {
    const asked = readJson(request, data);
    const id = asked.context_id;
    if (!contexts.has(id) && contexts.size >= MAX_CONTEXTS) {
      const message = `More than ${MAX_CONTEXTS} contexts are open on this connection.`;
      wire.send({ contextId: id, message, error: "max_active_conversations", code: 1008 });
      return wire.close(1008);
    }
    const context = contexts.get(id) ?? { text: "", isSaid: Promise.resolve(true) };
    contexts.set(id, context);
    context.text += asked.text;
    const said = context.text.trim();
    if (said !== "" && (asked.flush || asked.close_context)) {
      context.isSaid = context.isSaid.then((isSaid) => isSaid && say(id, said));
      context.text = "";
    }
    if (asked.close_context) void closeContext(id, context);
  });
}

const request = z.object({
  context_id: z.string(),
  text: orElse(z.string(), ""),
  flush: orElse(z.boolean(), false),
  close_context: orElse(z.boolean(), false),
});

interface Alignment {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

/** Spreads a word's time evenly over its letters. The space after a word lasts until the next one. */
function alignmentOf(words: TimedWord[]): Alignment {
  const all: Alignment = { chars: [], charStartTimesMs: [], charDurationsMs: [] };
  const add = (char: string, startMs: number, lastsMs: number): void => {
    all.chars.push(char);
    all.charStartTimesMs.push(Math.round(startMs));
    all.charDurationsMs.push(Math.round(lastsMs));
  };
  for (const [index, { text: word, startMs, endMs }] of words.entries()) {
    const letters = Array.from(word);
    const letterMs = (endMs - startMs) / letters.length;
    for (const [at, letter] of letters.entries()) add(letter, startMs + at * letterMs, letterMs);
    add(" ", endMs, (words[index + 1]?.startMs ?? endMs) - endMs);
  }
  return all;
}
