import type { ServerResponse } from "node:http";
import type { SpeechParts } from "../speech-parts.ts";
import { bytesOf } from "../sound.ts";
import { Monologue } from "./monologue.ts";
import type { Manner } from "./utter.ts";

/** Answers with the sound of a text: bare samples, as they are made. */
export function speakOverHttp(
  response: ServerResponse,
  said: string,
  manner: Manner,
  parts: SpeechParts,
): void {
  const monologue = new Monologue(parts, manner, {
    words() {},
    piece(pcm) {
      if (!response.headersSent) response.writeHead(200, { "content-type": "audio/pcm" });
      response.write(bytesOf(pcm));
    },
    cut: () => response.destroy(),
  });
  response.once("close", () => monologue.stop());
  monologue.say(said);
  monologue.whenSaid(() => response.end());
}
