import { flag, openObject, or, text } from "../../shape.ts";
import type { SpeechParts } from "../speech-parts.ts";
import { bytesOf } from "../sound.ts";
import type { TimedWord } from "../sound.ts";
import type { Wire } from "../wire.ts";
import { Monologue } from "./monologue.ts";
import type { Manner } from "./utter.ts";

const MOST_CONTEXTS = 5;
const PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/;

interface Context {
  monologue: Monologue;
  /** What waits until it is flushed, or a sentence. */
  text: string;
  /** Goes with the next piece of sound. */
  alignment: Alignment | null;
}

/** One connection to ElevenLabs' `multi-stream-input`: a few contexts, each a text in parts and its sound. */
export function elevenlabs(
  wire: Wire,
  { path, query }: { path: string; query: URLSearchParams },
  parts: SpeechParts,
): void {
  const contexts = new Map<string, Context>();
  const language = query.get("language_code");
  const manner: Manner = {
    service: "elevenlabs",
    sampleRate: Number(/^pcm_(\d+)$/.exec(query.get("output_format") ?? "")?.[1] ?? 24_000),
    voice: decodeURIComponent(PATH.exec(path)?.[1] ?? ""),
    ...(language !== null && { language }),
  };

  function open(contextId: string): Context {
    const context: Context = {
      text: "",
      alignment: null,
      monologue: new Monologue(parts, manner, {
        words(words) {
          if (query.get("sync_alignment") === "true") context.alignment = alignmentOf(words);
        },
        piece(pcm) {
          const { alignment } = context;
          context.alignment = null;
          const audio = bytesOf(pcm).toString("base64");
          wire.send({ contextId, audio, alignment, normalizedAlignment: alignment, isFinal: null });
        },
        cut: () => wire.cut(),
      }),
    };
    contexts.set(contextId, context);
    return context;
  }

  wire.onClose(() => {
    for (const { monologue } of contexts.values()) monologue.stop();
  });
  wire.onMessage((data) => {
    const asked = request(JSON.parse(data.toString()), "");
    if (asked.close_socket) return wire.close();
    const id = asked.context_id;
    if (!contexts.has(id) && contexts.size >= MOST_CONTEXTS) {
      const message = `More than ${MOST_CONTEXTS} contexts are open on this connection.`;
      wire.send({ contextId: id, message, error: "max_active_conversations", code: 1008 });
      return wire.close(1008);
    }
    const context = contexts.get(id) ?? open(id);
    context.text += asked.text;
    const isSentence = query.get("auto_mode") === "true" && /[.!?]\s*$/.test(context.text);
    if (asked.flush || asked.close_context || isSentence) {
      context.monologue.say(context.text);
      context.text = "";
    }
    if (!asked.close_context) return;
    context.monologue.whenSaid(() => {
      contexts.delete(id);
      wire.send({ contextId: id, isFinal: true });
    });
  });
}

const request = openObject({
  context_id: or(text, "default"),
  text: or(text, ""),
  flush: or(flag, false),
  close_context: or(flag, false),
  close_socket: or(flag, false),
});

interface Alignment {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

/** A word's time, spread over its letters; the space after it lasts until the next. */
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
