import type { ServerResponse } from "node:http";
import type { SpeechParts } from "../speech-parts.ts";
import type { Service } from "../service.ts";
import { bytesOf } from "../sound.ts";
import { utter } from "./utter.ts";

/** Answers with the sound of a text: bare samples, as they are made. */
export async function speakOverHttp(
  response: ServerResponse,
  asked: { service: Service; text: string; sampleRate: number; voice: string },
  parts: SpeechParts,
): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  const isSaid = await utter(
    parts,
    { ...asked, signal: closed.signal },
    {
      words() {},
      piece(pcm) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "audio/pcm" });
        response.write(bytesOf(pcm));
      },
      cut: () => response.destroy(),
    },
  );
  if (isSaid) response.end();
}
