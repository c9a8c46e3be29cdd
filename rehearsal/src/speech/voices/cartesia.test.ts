import { expect, test } from "vitest";
import { connect, refusalOf, speechUnderTest } from "../speech-under-test.ts";
import type { Message } from "../speech-under-test.ts";

const asked = {
  model_id: "sonic-3",
  voice: { mode: "id", id: "anna" },
  language: "en",
  output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: 24_000 },
  add_timestamps: true,
};

const isDone = ({ type }: Message): boolean => type === "done";

function soundSecs(messages: Message[]): number {
  const chunks = messages.filter(({ type }) => type === "chunk");
  const bytes = chunks.map(({ data }) => Buffer.from(String(data), "base64").length);
  return bytes.reduce((sum, one) => sum + one, 0) / 2 / 24_000;
}

test("a context is said with the times of its words", async () => {
  const speech = await speechUnderTest();
  const client = await connect(speech, "/tts/websocket");
  client.send({ ...asked, context_id: "a", transcript: "Hi you. Bye.", continue: false });
  const done = await client.next(isDone);
  expect(done).toEqual({ type: "done", context_id: "a", status_code: 200, done: true });
  const times = client.messages.filter(({ type }) => type === "timestamps");
  expect(times.map((message) => message["word_timestamps"])).toEqual([
    { words: ["Hi", "you.", "Bye."], start: [0, 0.18, 0.48], end: [0.12, 0.42, 0.72] },
  ]);
  expect(soundSecs(client.messages)).toBeCloseTo(0.78);
  expect(client.messages[1]).toMatchObject({
    type: "chunk",
    context_id: "a",
    status_code: 206,
    done: false,
    step_time: expect.any(Number),
  });
});

test("contexts do not disturb each other, and a cancelled one is silent", async () => {
  const speech = await speechUnderTest({ speed: 4 });
  const client = await connect(speech, "/tts/websocket");
  client.send({ ...asked, context_id: "cut", transcript: "One two three four five six seven." });
  await client.next(({ type }) => type === "chunk");
  client.send({ context_id: "cut", cancel: true });
  client.send({ ...asked, context_id: "next", transcript: "Yes?" });
  await client.next(isDone);
  expect(client.messages.filter(isDone)).toMatchObject([{ context_id: "next" }]);
  expect(speech.requests().recent.map(({ what, text }) => [what, text])).toContainEqual([
    "cancelled",
    "One two three four five six seven.",
  ]);
});

test("sound leaves after the delay and at the pace", async () => {
  const speech = await speechUnderTest({ delayMs: 100, speed: 4 });
  const client = await connect(speech, "/tts/websocket");
  const before = performance.now();
  client.send({ ...asked, context_id: "a", transcript: "Seventeen characters and more." });
  await client.next(({ type }) => type === "chunk");
  const firstMs = performance.now() - before;
  await client.next(isDone);
  const allMs = performance.now() - before;
  expect(firstMs).toBeGreaterThan(95);
  // 1.8 s of sound, but for its last piece.
  expect(allMs).toBeGreaterThan(100 + 1_800 / 4 - 50);
});

test("what Cartesia refuses is refused, and the connection stays", async () => {
  const client = await connect(await speechUnderTest(), "/tts/websocket");
  client.send({ ...asked, context_id: "empty", transcript: " ", continue: false });
  client.send({
    ...asked,
    context_id: "odd",
    transcript: "Hi.",
    output_format: { container: "mp3" },
  });
  client.send({ ...asked, context_id: "fine", transcript: "Hi." });
  await client.next(isDone);
  const errors = client.messages.filter(({ type }) => type === "error");
  expect(errors).toMatchObject([
    { context_id: "empty", status_code: 400, done: true },
    { context_id: "odd", status_code: 400, done: true },
  ]);
});

test("the key must be there", async () => {
  const speech = await speechUnderTest({ apiKey: "right" });
  expect(await refusalOf(speech, "/tts/websocket", { "x-api-key": "right" })).toBeUndefined();
  expect(await refusalOf(speech, "/tts/websocket", {})).toBe(401);
});
