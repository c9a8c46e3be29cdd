import { randomUUID } from "node:crypto";
import * as z from "zod";
import { readJson } from "../../read-value.ts";
import { samplesOf } from "../sound.ts";
import type { SpeechParts, Wire } from "../wire.ts";
import { RECOGNISER_SAMPLE_RATE } from "./recogniser.ts";
import { Hearing } from "./hearing.ts";
import type { Transcript } from "./hearing.ts";

/** Quiet that ends an utterance, where a client asks for less. */
const MIN_ENDPOINTING_MS = 250;

/** One connection to Deepgram's `/v1/listen`: sound in, transcripts out. */
export function deepgramListen(
  wire: Wire,
  { query }: { query: URLSearchParams },
  parts: SpeechParts,
): void {
  const requestId = randomUUID();
  const language = query.get("language") ?? "en";
  let fromFinalize = false;

  const sendResults = (transcript: Transcript, flags: ResultFlags): void =>
    wire.send(results(transcript, { ...flags, requestId, language }));

  const hearing = new Hearing(
    {
      service: "deepgram_listen",
      language,
      sampleRate: Number(query.get("sample_rate") ?? RECOGNISER_SAMPLE_RATE),
      endpointingMs: Math.max(MIN_ENDPOINTING_MS, Number(query.get("endpointing")) || 0),
    },
    parts,
    {
      started(startMs) {
        if (query.get("vad_events") !== "true") return;
        wire.send({ type: "SpeechStarted", channel: [0, 1], timestamp: startMs / 1_000 });
      },
      interim(transcript) {
        if (query.get("interim_results") === "true") sendResults(transcript, { isFinal: false });
      },
      final(transcript, isOver) {
        sendResults(transcript, { isFinal: true, speechFinal: isOver, fromFinalize });
        fromFinalize = false;
      },
      cut: () => wire.cut(),
    },
  );

  const idle = setTimeout(() => wire.close(1011, "NET-0001"), parts.idleMs);
  wire.onClose(() => {
    clearTimeout(idle);
    hearing.close();
  });
  wire.onMessage((data, isBinary) => {
    idle.refresh();
    if (isBinary) return hearing.push(samplesOf(data));
    const { type } = readJson(order, data);
    if (type === "Finalize") {
      fromFinalize = true;
      void hearing.flush().then(() => {
        const { nowMs } = hearing;
        const nowhere = { startMs: nowMs, endMs: nowMs, lastWordMs: nowMs };
        const nothing = { text: "", confidence: 0, ...nowhere };
        if (fromFinalize) sendResults(nothing, { isFinal: true, fromFinalize });
        fromFinalize = false;
      });
    } else if (type === "CloseStream") {
      void hearing.flush().then(() => {
        const duration = hearing.nowMs / 1_000;
        const created = new Date().toISOString();
        wire.send({ type: "Metadata", request_id: requestId, created, duration, channels: 1 });
        wire.close();
      });
    }
  });
}

interface ResultFlags {
  isFinal: boolean;
  speechFinal?: boolean;
  fromFinalize?: boolean;
}

const order = z.object({ type: z.enum(["Finalize", "CloseStream", "KeepAlive"]) });

function results(
  { text, confidence, startMs, endMs, lastWordMs }: Transcript,
  flags: ResultFlags & { requestId: string; language: string },
): object {
  const words = text.split(/\s+/).filter(Boolean);
  const start = startMs / 1_000;
  const wordSecs = (lastWordMs - startMs) / 1_000 / Math.max(words.length, 1);
  return {
    type: "Results",
    channel_index: [0, 1],
    start,
    duration: (endMs - startMs) / 1_000,
    is_final: flags.isFinal,
    speech_final: flags.speechFinal ?? false,
    from_finalize: flags.fromFinalize ?? false,
    channel: {
      alternatives: [
        {
          transcript: text,
          confidence,
          ...(flags.language === "multi" && { languages: ["en"] }),
          words: words.map((word, index) => ({
            word: word.toLowerCase().replaceAll(/[^\p{L}\p{N}'-]/gu, ""),
            punctuated_word: word,
            start: start + index * wordSecs,
            end: start + (index + 1) * wordSecs,
            confidence,
          })),
        },
      ],
    },
    metadata: {
      request_id: flags.requestId,
      model_info: { name: "rehearsal", version: "1", arch: "rehearsal" },
      model_uuid: "00000000-0000-4000-8000-000000000000",
    },
  };
}
