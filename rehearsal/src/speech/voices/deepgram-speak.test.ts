import { expect, test } from "vitest";
import { connect, speechUnderTest } from "../speech-under-test.ts";

const SPEAK = "/v1/speak?model=aura-2-thalia-en&encoding=linear16&sample_rate=24000";

test("texts sound once they are flushed", async () => {
  const speech = await speechUnderTest();
  const client = await connect(speech, SPEAK);
  client.send({ type: "Speak", text: "Hi " });
  client.send({ type: "Speak", text: "you. " });
  client.send({ type: "Flush" });
  expect(await client.next(({ type }) => type === "Flushed")).toMatchObject({ sequence_id: 0 });
  expect(client.messages[0]).toMatchObject({ type: "Metadata", model_name: "aura-2-thalia-en" });
  expect(client.soundBytes()).toBe(0.48 * 24_000 * 2);
  client.send({ type: "Close" });
  expect(await client.closed).toMatchObject({ code: 1000 });
});

test("what is cleared sounds no more", async () => {
  const speech = await speechUnderTest({ speed: 4 });
  const client = await connect(speech, SPEAK);
  client.send({ type: "Speak", text: "One two three four five six seven eight." });
  client.send({ type: "Flush" });
  client.send({ type: "Clear" });
  client.send({ type: "Speak", text: "Hi." });
  client.send({ type: "Flush" });
  await client.next(({ type }) => type === "Flushed");
  expect(client.messages.map(({ type }) => type)).toEqual(["Metadata", "Cleared", "Flushed"]);
  expect(client.soundBytes()).toBe(0.24 * 24_000 * 2);
});

test("over HTTP a text is answered with its sound", async () => {
  const speech = await speechUnderTest();
  const response = await fetch(`${speech.url}${SPEAK}&container=none`, {
    method: "POST",
    headers: { authorization: "Token any" },
    body: JSON.stringify({ text: "Hi you." }),
  });
  expect(response.status).toBe(200);
  expect((await response.bytes()).length).toBe(0.48 * 24_000 * 2);
});
