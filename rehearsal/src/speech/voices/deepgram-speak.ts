import { randomUUID } from "node:crypto";
import { oneOf, openObject, or, text } from "../../shape.ts";
import type { SpeechParts } from "../speech-parts.ts";
import { bytesOf } from "../sound.ts";
import type { Wire } from "../wire.ts";
import { Monologue } from "./monologue.ts";

/** One connection to Deepgram's `/v1/speak`: texts in, sound once they are flushed. The model is the voice. */
export function deepgramSpeak(
  wire: Wire,
  { query }: { query: URLSearchParams },
  parts: SpeechParts,
): void {
  const model = query.get("model") ?? "";
  let waiting = "";
  let sequence = 0;
  let monologue = begin();
  wire.send({ type: "Metadata", request_id: randomUUID(), model_name: model, model_version: "1" });

  function begin(): Monologue {
    const sampleRate = Number(query.get("sample_rate") ?? 24_000);
    return new Monologue(
      parts,
      { service: "deepgram_speak", sampleRate, voice: model },
      {
        // Deepgram tells no times of words.
        words() {},
        piece: (pcm) => wire.send(bytesOf(pcm)),
        cut: () => wire.cut(),
      },
    );
  }

  wire.onClose(() => monologue.stop());
  wire.onMessage((data) => {
    const asked = request(JSON.parse(data.toString()), "");
    switch (asked.type) {
      case "Speak":
        waiting += asked.text;
        return;
      case "Flush":
      case "Close":
        monologue.say(waiting);
        waiting = "";
        monologue.whenSaid(() => {
          if (asked.type === "Close") wire.close();
          else wire.send({ type: "Flushed", sequence_id: sequence++ });
        });
        return;
      case "Clear":
        monologue.stop();
        monologue = begin();
        waiting = "";
        wire.send({ type: "Cleared", sequence_id: sequence++ });
    }
  });
}

const request = openObject({
  type: oneOf("Speak", "Flush", "Clear", "Close"),
  text: or(text, ""),
});
