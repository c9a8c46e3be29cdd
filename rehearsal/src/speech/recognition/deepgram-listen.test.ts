import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { connect, quiet, refusalOf, speechUnderTest, voiced } from "../speech-under-test.ts";
import type { Message } from "../speech-under-test.ts";

const LISTEN =
  "/v1/listen?encoding=linear16&sample_rate=16000&interim_results=true&vad_events=true&endpointing=25&language=en";

const isFinal = (message: Message): boolean => message["is_final"] === true;

function transcript(message: Message): string {
  const { alternatives } = message["channel"] as { alternatives: { transcript: string }[] };
  return alternatives[0]!.transcript;
}

test("an utterance starts, is guessed, and becomes final once the speaker pauses", async () => {
  const speech = await speechUnderTest();
  speech.hears(["What does it cost?"]);
  const client = await connect(speech, LISTEN);
  client.sendSound(quiet(500), voiced(600));
  const guess = await client.next((message) => message["is_final"] === false);
  expect(transcript(guess)).toBe("What does");
  client.sendSound(voiced(300), quiet(300));
  const final = await client.next(isFinal);
  expect(client.messages[0]).toEqual({ type: "SpeechStarted", channel: [0, 1], timestamp: 0.34 });
  expect(final).toMatchObject({
    type: "Results",
    channel_index: [0, 1],
    start: 0.34,
    speech_final: true,
    from_finalize: false,
    channel: { alternatives: [{ transcript: "What does it cost?" }] },
    metadata: { request_id: expect.any(String) },
  });
  const { words } = (final["channel"] as { alternatives: [{ words: object[] }] }).alternatives[0];
  expect(words).toHaveLength(4);
  expect(words.at(-1)).toMatchObject({ word: "cost", punctuated_word: "cost?" });
});

test("Finalize makes what was said final at once", async () => {
  const speech = await speechUnderTest();
  speech.hears(["Wait"]);
  const client = await connect(speech, LISTEN);
  client.sendSound(voiced(400));
  client.send({ type: "Finalize" });
  const final = await client.next(isFinal);
  expect(final).toMatchObject({ from_finalize: true, speech_final: true });
  expect(transcript(final)).toBe("Wait");
});

test("Finalize with nothing said is answered with nothing", async () => {
  const client = await connect(await speechUnderTest(), LISTEN);
  client.send({ type: "Finalize" });
  const final = await client.next(isFinal);
  expect(final["from_finalize"]).toBe(true);
  expect(transcript(final)).toBe("");
});

test("CloseStream finishes the utterance, tells the metadata and closes", async () => {
  const speech = await speechUnderTest();
  speech.hears(["Goodbye."]);
  const client = await connect(speech, LISTEN);
  client.sendSound(voiced(500));
  client.send({ type: "CloseStream" });
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(client.messages.map(({ type }) => type)).toEqual(["SpeechStarted", "Results", "Metadata"]);
  expect(client.messages.at(-1)).toMatchObject({ duration: 0.5, channels: 1 });
});

test("who sends neither sound nor a sign of life is closed", async () => {
  const speech = await speechUnderTest({ idleMs: 150 });
  const client = await connect(speech, LISTEN);
  await delay(100);
  client.send({ type: "KeepAlive" });
  await delay(100);
  client.sendSound(quiet(20));
  const before = performance.now();
  expect(await client.closed).toEqual({ code: 1011, reason: "NET-0001" });
  expect(performance.now() - before).toBeGreaterThan(100);
});

test("a sentence in two utterances is two finals", async () => {
  const speech = await speechUnderTest();
  speech.hears(["We are twenty", "people."]);
  const client = await connect(speech, LISTEN);
  client.sendSound(voiced(500), quiet(300), voiced(500), quiet(300));
  await client.next((message) => isFinal(message) && transcript(message) === "people.");
  const finals = client.messages.filter(isFinal);
  expect(finals.map(transcript)).toEqual(["We are twenty", "people."]);
});

test("what was not told is heard again over the next connection", async () => {
  const speech = await speechUnderTest();
  speech.hears(["First.", "Second."]);
  const lost = await connect(speech, LISTEN);
  lost.sendSound(voiced(500));
  await lost.next(({ type }) => type === "SpeechStarted");
  lost.close();
  await lost.closed;
  const client = await connect(speech, LISTEN);
  client.sendSound(voiced(500), quiet(300), voiced(500), quiet(300));
  await client.next((message) => isFinal(message) && transcript(message) === "Second.");
  expect(client.messages.filter(isFinal).map(transcript)).toEqual(["First.", "Second."]);
});

test("nonsense ends the connection, and no key is refused", async () => {
  const speech = await speechUnderTest({ apiKey: "right" });
  const client = await connect(speech, LISTEN, { authorization: "Token right" });
  client.send({ type: "Dance" });
  expect(await client.closed).toMatchObject({ code: 1008 });
  expect(await refusalOf(speech, LISTEN, {})).toBe(401);
  expect(await refusalOf(speech, LISTEN, { authorization: "Token wrong" })).toBe(401);
  expect(await refusalOf(speech, "/v2/listen")).toBe(404);
});
