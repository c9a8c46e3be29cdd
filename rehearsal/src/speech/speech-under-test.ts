import { once } from "node:events";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startSpeech } from "./speech.ts";
import type { RehearsalSpeech, SpeechOptions } from "./speech.ts";

/** Scripted speech-to-text and a voice of tones, closed when the test ends. */
export async function speechUnderTest(options: SpeechOptions = {}): Promise<RehearsalSpeech> {
  const speech = await startSpeech({ speed: 1_000, ...options });
  onTestFinished(() => speech.close());
  return speech;
}

/** Every vendor's way to show a key. */
export const keys: Record<string, string> = {
  authorization: "Bearer any",
  "x-api-key": "any",
  "xi-api-key": "any",
};

export type Message = Record<string, unknown> & { type?: string };

/** A client's end of a WebSocket. */
export interface Client {
  send(message: object): void;
  /** In one message. */
  sendSound(...pieces: Int16Array[]): void;
  sendBytes(bytes: Uint8Array): void;
  /** All that came so far, but for sound in bytes. */
  messages: Message[];
  /** Sound that came in bytes. */
  soundBytes(): number;
  /** The next one that is so, of those that came before too. */
  next(isIt: (message: Message) => boolean): Promise<Message>;
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

export async function connect(
  speech: RehearsalSpeech,
  path: string,
  headers: Record<string, string> = keys,
): Promise<Client> {
  const socket = new WebSocket(speech.url.replace("http", "ws") + path, { headers });
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  let soundBytes = 0;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (isBinary) soundBytes += data.length;
    else messages.push(JSON.parse(data.toString()) as Message);
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, "open");
  return {
    messages,
    closed,
    soundBytes: () => soundBytes,
    send: (message) => socket.send(JSON.stringify(message)),
    sendBytes: (bytes) => socket.send(bytes),
    sendSound(...pieces) {
      const all = pieces.map((pcm) => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength));
      socket.send(Buffer.concat(all));
    },
    next: (isIt) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = messages.find(isIt);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => socket.close(),
  };
}

/** The status by which a WebSocket is refused. */
export async function refusalOf(
  speech: RehearsalSpeech,
  path: string,
  headers: Record<string, string> = keys,
): Promise<number | undefined> {
  const socket = new WebSocket(speech.url.replace("http", "ws") + path, { headers });
  socket.on("error", () => {});
  const status = new Promise<number | undefined>((resolve) => {
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
    socket.once("open", () => resolve(undefined));
  });
  onTestFinished(() => socket.terminate());
  return status;
}

/** A tone that the gate takes for a voice. 16 kHz. */
export function voiced(ms: number): Int16Array<ArrayBuffer> {
  return new Int16Array(16 * ms).map((_, at) => 6_000 * Math.sin(at / 10));
}

export function quiet(ms: number): Int16Array<ArrayBuffer> {
  return new Int16Array(16 * ms);
}
