import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SpeechFault } from "./fault.ts";
import { connect, quiet, refusalOf, speechUnderTest, voiced } from "./speech-under-test.ts";
import type { Client, Message } from "./speech-under-test.ts";

const LISTEN = "/v1/listen?sample_rate=16000&vad_events=true&endpointing=25&language=en";
const SPEAK = "/tts/websocket";

const isFinal = (message: Message): boolean => message["is_final"] === true;
const isDone = ({ type }: Message): boolean => type === "done";

function texts({ messages }: Client): string[] {
  return messages
    .filter(isFinal)
    .map(({ channel }) => (channel as { alternatives: [{ transcript: string }] }).alternatives[0])
    .map(({ transcript }) => transcript);
}

/** Somebody says "One." and "Two." to ears with a fault. */
async function listener(...faults: SpeechFault[]) {
  const speech = await speechUnderTest({ faults });
  speech.hears(["One.", "Two."]);
  const client = await connect(speech, LISTEN);
  const utter = (): void => client.sendSound(voiced(600), quiet(300));
  return { speech, client, utter };
}

/** Somebody is asked to say two sentences, by a voice with a fault. */
async function speaker(...faults: SpeechFault[]) {
  const speech = await speechUnderTest({ faults });
  const client = await connect(speech, SPEAK);
  for (const [context_id, transcript] of [
    ["a", "One two three."],
    ["b", "Four."],
  ]) {
    client.send({
      context_id,
      transcript,
      voice: { mode: "id", id: "v" },
      output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: 24_000 },
      add_timestamps: true,
    });
  }
  return { speech, client };
}

const chunksOf = ({ messages }: Client, context: string): Message[] =>
  messages.filter((one) => one.type === "chunk" && one["context_id"] === context);

test.each([
  ["bad_key", 401],
  ["rate_limit", 429],
  ["error_500", 500],
] as const)("%s refuses the connection once, with %d", async (kind, status) => {
  const speech = await speechUnderTest({ faults: [{ kind, times: 2, service: "cartesia" }] });
  expect(await refusalOf(speech, SPEAK)).toBe(status);
  expect(await refusalOf(speech, SPEAK)).toBe(status);
  expect(await refusalOf(speech, SPEAK)).toBeUndefined();
  expect(await refusalOf(speech, LISTEN)).toBeUndefined();
  expect(speech.requests().faults).toEqual({ [kind]: 2 });
});

test("refuse closes the port for a while, and every connection", async () => {
  const { speech, client } = await listener();
  await speech.setFaults([{ kind: "refuse", forMs: 100 }]);
  await client.closed;
  await expect(fetch(speech.url)).rejects.toThrow("fetch failed");
  await delay(150);
  expect(await refusalOf(speech, LISTEN)).toBeUndefined();
});

test("cut_utterance ends the connection in the middle, and the words are not lost", async () => {
  const { speech, client, utter } = await listener({ kind: "cut_utterance", times: 1 });
  utter();
  expect(await client.closed).toMatchObject({ code: 1006 });
  expect(client.messages.map(({ type }) => type)).toEqual(["SpeechStarted"]);
  const again = await connect(speech, LISTEN);
  again.sendSound(voiced(600), quiet(300));
  await again.next(isFinal);
  expect(texts(again)).toEqual(["One."]);
});

test("deaf says nothing over this connection any more, and hears over the next", async () => {
  const { speech, client, utter } = await listener({ kind: "deaf", times: 1 });
  utter();
  utter();
  client.send({ type: "Finalize" });
  await delay(50);
  expect(client.messages).toEqual([]);
  client.close();
  await client.closed;
  const again = await connect(speech, LISTEN);
  again.sendSound(voiced(600), quiet(300));
  await again.next(isFinal);
  expect(texts(again)).toEqual(["One."]);
});

test("duplicate_finals says the same twice", async () => {
  const { client, utter } = await listener({ kind: "duplicate_finals", times: 1 });
  utter();
  utter();
  await client.next(() => texts(client).includes("Two."));
  expect(texts(client)).toEqual(["One.", "One.", "Two."]);
});

test("late_finals holds one back, and those behind it", async () => {
  const { client, utter } = await listener({ kind: "late_finals", afterMs: 120, times: 1 });
  const before = performance.now();
  utter();
  utter();
  await client.next(() => texts(client).includes("Two."));
  expect(performance.now() - before).toBeGreaterThan(115);
  expect(texts(client)).toEqual(["One.", "Two."]);
});

test("garbage is heard in place of words", async () => {
  const { client, utter } = await listener({ kind: "garbage", times: 1 });
  utter();
  utter();
  await client.next(() => texts(client).includes("Two."));
  expect(texts(client)[0]).not.toBe("One.");
});

test("cut_sentence ends the connection after half of a sentence", async () => {
  const { client } = await speaker({ kind: "cut_sentence", times: 1 });
  expect(await client.closed).toMatchObject({ code: 1006 });
  // 0.9 s of sound would be nine pieces.
  expect(chunksOf(client, "a")).toHaveLength(5);
});

test("stall_sentence and mute leave a sentence unfinished, and the others are said", async () => {
  for (const [kind, pieces] of [
    ["stall_sentence", 5],
    ["mute", 0],
  ] as const) {
    const { client } = await speaker({ kind, times: 1 });
    await client.next(isDone);
    await delay(20);
    expect(client.messages.filter(isDone)).toMatchObject([{ context_id: "b" }]);
    expect(chunksOf(client, "a")).toHaveLength(pieces);
  }
});

test("drip is slower than speaking", async () => {
  const before = performance.now();
  const { client } = await speaker({ kind: "drip", times: 1 });
  await client.next((message) => isDone(message) && message["context_id"] === "a");
  // The last of its pieces belongs 0.8 s after the first.
  expect(performance.now() - before).toBeGreaterThan(1_550);
});

test("switches are set and read over HTTP, and the page shows them", async () => {
  const speech = await speechUnderTest();
  const put = (path: string, body: object): Promise<Response> =>
    fetch(`${speech.url}/rehearsal/${path}`, { method: "PUT", body: JSON.stringify(body) });
  expect((await put("faults", { faults: [{ kind: "deaf" }], delayMs: 7 })).status).toBe(200);
  const state = await fetch(`${speech.url}/rehearsal/faults`);
  expect(await state.json()).toMatchObject({ delayMs: 7, faults: [{ kind: "deaf", hits: 0 }] });
  const view = await fetch(`${speech.url}/rehearsal/view`);
  expect(await view.json()).toMatchObject({ faults: [{ kind: "deaf" }], total: 0 });
  expect((await put("faults", { faults: [{ kind: "refuse" }] })).status).toBe(400);
  expect((await put("faults", {})).status).toBe(200);
  await connect(speech, LISTEN);
  const requests = await fetch(`${speech.url}/rehearsal/requests`);
  expect(await requests.json()).toMatchObject({ services: { deepgram_listen: 1 } });
});
