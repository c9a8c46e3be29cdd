import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { PacedMicrophone, VoiceVisitor, joinVisitorRoom } from "@svc/server/testing";

/** A program: visitors who talk in real time with the processes that they are sent to, and tell how much they hear. */

/** Somebody comes to a socket of ours, with a ticket, to one of the bare program, or to a room. */
export interface CallerOrder {
  url: string;
  visit?: { id: string; ticket: string };
  /** Moves their sound to a LiveKit room. */
  inRoom?: boolean;
  /** To a room of this LiveKit server, with this token. */
  room?: { url: string; token: string };
}

/** Told every second: for how long agents were heard, all together, by the address of the socket. */
export type HeardMs = Record<string, number>;

/** Of which the visitor speaks for 30 %; the answer should take as long. */
const ROUND_MS = 20_000;
const QUESTION =
  "I would like to know how long it takes until a team of twenty people can work with it.";
const SAMPLES_PER_MS = 24;
/** A room plays silence, too. */
const LOUD = 655;
/** Spreads any number of visitors evenly over a round. */
const GOLDEN_RATIO = 0.618;

const { pcm: question } = await speak(QUESTION);
const heard: { url: string; ms: () => number }[] = [];

type Say = (sound: Int16Array) => Promise<unknown>;

async function call({ url, visit, inRoom, room }: CallerOrder): Promise<void> {
  const say =
    visit !== undefined
      ? await callOurs(url, visit, inRoom)
      : room !== undefined
        ? await callInRoom(url, room)
        : await callBare(url);
  await delay(((heard.length * GOLDEN_RATIO) % 1) * ROUND_MS);
  for (;;) {
    void say(question);
    await delay(ROUND_MS);
  }
}

async function callOurs(
  url: string,
  visit: { id: string; ticket: string },
  inRoom = false,
): Promise<Say> {
  const visitor = await VoiceVisitor.join(url, visit);
  if (inRoom) await visitor.moveToRoom();
  heard.push({ url, ms: () => visitor.heard.reduce((sum, { playedMs }) => sum + playedMs, 0) });
  return (sound) => visitor.say(sound);
}

async function callInRoom(url: string, where: { url: string; token: string }): Promise<Say> {
  let samples = 0;
  const room = await joinVisitorRoom(where, (pcm) => {
    if (pcm.some((sample) => Math.abs(sample) > LOUD)) samples += pcm.length;
  });
  heard.push({ url, ms: () => samples / SAMPLES_PER_MS });
  const microphone = new PacedMicrophone((frame) => room.say(frame));
  return (sound) => microphone.say(sound);
}

async function callBare(url: string): Promise<Say> {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  let bytes = 0;
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
    bytes += data.byteLength;
  });
  await once(socket, "open");
  heard.push({ url, ms: () => bytes / 2 / SAMPLES_PER_MS });
  const microphone = new PacedMicrophone((frame) => {
    if (socket.readyState === socket.OPEN) socket.send(Int16Array.from(frame));
  });
  return (sound) => microphone.say(sound);
}

process.on("message", (order: CallerOrder) => {
  // A process that is too busy refuses them; it is asked itself how many it has.
  call(order).catch((error: unknown) => console.error(String(error)));
});
setInterval(() => {
  const all: HeardMs = {};
  for (const { url, ms } of heard) all[url] = (all[url] ?? 0) + ms();
  process.send?.(all);
}, 1_000);
