import { expect, test } from "vitest";
import { connect, speechUnderTest } from "../speech-under-test.ts";
import type { Message } from "../speech-under-test.ts";

const SPEAK =
  "/v1/text-to-speech/anna/multi-stream-input?model_id=m&output_format=pcm_24000&sync_alignment=true&auto_mode=true&language_code=en";

const isFinal = (message: Message): boolean => message["isFinal"] === true;

test("a context is said with the times of its letters, and ends when it is closed", async () => {
  const speech = await speechUnderTest();
  const client = await connect(speech, SPEAK);
  client.send({ context_id: "a", text: " ", voice_settings: {} });
  client.send({ context_id: "a", text: "Hi you. ", flush: true });
  client.send({ context_id: "a", text: "" });
  client.send({ context_id: "a", close_context: true });
  expect(await client.next(isFinal)).toEqual({ contextId: "a", isFinal: true });
  const [first, ...rest] = client.messages.filter(({ audio }) => audio !== undefined);
  expect(first!["normalizedAlignment"]).toEqual({
    chars: ["H", "i", " ", "y", "o", "u", ".", " "],
    charStartTimesMs: [0, 60, 120, 180, 240, 300, 360, 420],
    charDurationsMs: [60, 60, 60, 60, 60, 60, 60, 0],
  });
  expect(rest.every((message) => message["alignment"] === null)).toBe(true);
  expect(speech.requests().recent.find(({ what }) => what === "asked")).toMatchObject({
    service: "elevenlabs",
    text: "Hi you.",
    voice: "anna",
    language: "en",
  });
});

test("text waits for a flush or the end of its context", async () => {
  const speech = await speechUnderTest();
  const client = await connect(speech, SPEAK);
  client.send({ context_id: "a", text: "One " });
  client.send({ context_id: "a", text: "two. ", flush: true });
  client.send({ context_id: "a", text: "Three " });
  client.send({ context_id: "a", close_context: true });
  await client.next(isFinal);
  const asked = speech.requests().recent.filter(({ what }) => what === "asked");
  expect(asked.map(({ text }) => text)).toEqual(["One two.", "Three"]);
});

test("a sixth context at once is one too many", async () => {
  const client = await connect(await speechUnderTest(), SPEAK);
  for (let context = 0; context < 6; context += 1) {
    client.send({ context_id: String(context), text: "One " });
  }
  expect(await client.closed).toMatchObject({ code: 1008 });
  expect(client.messages.at(-1)).toMatchObject({
    contextId: "5",
    error: "max_active_conversations",
  });
});
