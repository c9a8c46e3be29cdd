import { expect, test } from "vitest";
import { bytesOf } from "./sound.ts";
import { keys, speechUnderTest, voiced } from "./speech-under-test.ts";
import type { RehearsalSpeech } from "./speech.ts";

function say(speech: RehearsalSpeech, body: object): Promise<Response> {
  const url = `${speech.url}/v1/audio/speech`;
  return fetch(url, { method: "POST", headers: keys, body: JSON.stringify(body) });
}

function transcribe(speech: RehearsalSpeech, fields: Record<string, string | Blob>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return fetch(`${speech.url}/v1/audio/transcriptions`, { method: "POST", headers: keys, body });
}

/** With a chunk of odd length before the samples, as some programs write them. */
function wav(pcm: Int16Array): Blob {
  const samples = bytesOf(pcm);
  const format = Buffer.alloc(24);
  format.write("fmt ");
  format.writeUInt32LE(16, 4);
  [1, 1].forEach((value, at) => format.writeUInt16LE(value, 8 + 2 * at));
  format.writeUInt32LE(16_000, 12);
  format.writeUInt16LE(16, 22);
  const note = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
  const data = Buffer.from("data\0\0\0\0", "latin1");
  data.writeUInt32LE(samples.length, 4);
  return new Blob([Buffer.concat([Buffer.from("RIFF....WAVE"), format, note, data, samples])]);
}

test("speech is bare samples at 24 kHz", async () => {
  const speech = await speechUnderTest();
  const asked = { model: "tts-1", voice: "alloy", input: "Hi you.", response_format: "pcm" };
  const response = await say(speech, asked);
  expect(response.headers.get("content-type")).toBe("audio/pcm");
  expect((await response.bytes()).length).toBe(0.48 * 24_000 * 2);
  const refused = await say(speech, { ...asked, response_format: "mp3" });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { param: "response_format" } });
});

test("a file is transcribed", async () => {
  const speech = await speechUnderTest();
  speech.hears(["Good morning."]);
  const response = await transcribe(speech, { model: "whisper-1", file: wav(voiced(800)) });
  expect(await response.json()).toEqual({ text: "Good morning." });
});

test.each([
  ["no file", { model: "whisper-1" }, "file"],
  ["no sound", { model: "whisper-1", file: new Blob(["RIFF"]) }, "file"],
  [
    "another format",
    { model: "m", file: wav(voiced(10)), response_format: "srt" },
    "response_format",
  ],
])("%s is refused as OpenAI refuses it", async (_, fields, param) => {
  const response = await transcribe(await speechUnderTest(), fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
});

test.each(["/v1/models", "/v1/projects"])("%s shows whether a key is good", async (path) => {
  const speech = await speechUnderTest();
  expect((await fetch(speech.url + path, { headers: keys })).status).toBe(200);
  expect((await fetch(speech.url + path)).status).toBe(401);
});

test("Deepgram's speech is bare samples too", async () => {
  const speech = await speechUnderTest();
  const response = await fetch(
    `${speech.url}/v1/speak?model=aura-2-thalia-en&sample_rate=24000&container=none`,
    {
      method: "POST",
      headers: { authorization: "Token any" },
      body: JSON.stringify({ text: "Hi you." }),
    },
  );
  expect(response.status).toBe(200);
  expect((await response.bytes()).length).toBe(0.48 * 24_000 * 2);
});
