import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "#platform";
import { speak, startSpeech } from "#testing";
import type { RehearsalSpeech, SpeechOptions } from "#testing";
import { stt } from "@livekit/agents";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocketServer } from "ws";
import { VendorAway } from "../vendor.ts";
import type { HearingConfig } from "../vendor.ts";
import { createHearing, deepgramLanguage } from "./create-hearing.ts";
import { RecogniserConnection, hearingLimits } from "./recogniser-connection.ts";
import { SoundFrames } from "./unheard-sound.ts";

it.each([
  ["en", "en"],
  ["en-GB", "en-GB"],
  ["de", "de"],
  ["de-AT", "de"],
  ["pt-BR", "pt-BR"],
  ["es-MX", "es"],
  ["nb-NO", "no"],
  ["zh-Hant", "zh-Hant"],
  ["zh-Hant-HK", "zh-HK"],
  ["fr-fr", "fr"],
])("names %s as %s", (language, name) => {
  expect(deepgramLanguage(language)).toBe(name);
});

const vendors = [
  { provider: "deepgram", service: "deepgram_listen", hasInterims: true },
  { provider: "openai", service: "openai_transcriptions", hasInterims: false },
] as const;

/** What a visitor says, with a second of quiet around it. */
let spoken: Int16Array;

beforeAll(async () => {
  const { pcm } = await speak("What does it cost for a team of twenty people?", { voice: "rms" });
  spoken = new Int16Array(pcm.length + 25_600);
  spoken.set(pcm, 9_600);
});

const until = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 5_000, interval: 10 });

interface Listening {
  connection: RecogniserConnection;
  interims: string[];
  finals: string[];
  hear(sound: Int16Array): Promise<void>;
}

function listenWith(config: Partial<HearingConfig> & Pick<HearingConfig, "provider">): Listening {
  const whole = { url: undefined, key: "key", model: undefined, ...config };
  const recogniser = createHearing(whole, "de-AT", systemClock);
  const [interims, finals]: [string[], string[]] = [[], []];
  const connection = new RecogniserConnection({
    name: config.provider,
    recogniser,
    clock: systemClock,
    limits: hearingLimits,
    onEvent({ type, alternatives }) {
      const { text } = alternatives?.[0] ?? { text: "" };
      if (type === stt.SpeechEventType.FINAL_TRANSCRIPT) finals.push(text);
      if (type === stt.SpeechEventType.INTERIM_TRANSCRIPT) interims.push(text);
    },
  });
  onTestFinished(async () => {
    connection.close();
    await recogniser.close();
  });
  const frames = new SoundFrames(16_000);
  const hear = async (sound: Int16Array): Promise<void> => {
    for (const frame of frames.add(sound)) {
      connection.push(frame);
      await nextTurn();
    }
  };
  return { connection, interims, finals, hear };
}

async function standIn(options: SpeechOptions = {}): Promise<RehearsalSpeech> {
  const speech = await startSpeech(options);
  onTestFinished(() => speech.close());
  return speech;
}

/** Takes the sound of either vendor, and answers nothing. */
async function deafServer(): Promise<{ url: string; came: Buffer[]; connections(): number }> {
  const came: Buffer[] = [];
  const server = createServer(async (request) => {
    const type = request.headers["content-type"] ?? "";
    const body = new Response(await buffer(request), { headers: { "content-type": type } });
    const file = (await body.formData()).get("file");
    const wav = file instanceof File ? await file.arrayBuffer() : new ArrayBuffer(44);
    came.push(Buffer.from(wav).subarray(44));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) =>
    socket.on("message", (data: Buffer, isBinary) => isBinary && came.push(data)),
  );
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    socket.once("close", () => (connections -= 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, came, connections: () => connections };
}

describe.each(vendors)("$provider", ({ provider, service, hasInterims }) => {
  it("hears utterance after utterance, each once, in the language it is told", async () => {
    const speech = await standIn({ apiKey: "right" });
    speech.hears(["Was kostet das?", "Und für zwanzig?"]);
    const { interims, finals, hear } = listenWith({ provider, url: speech.url, key: "right" });
    await hear(spoken);
    await until(() => expect(finals).toEqual(["Was kostet das?"]));
    await hear(spoken);
    await until(() => expect(finals).toEqual(["Was kostet das?", "Und für zwanzig?"]));
    expect(interims.includes("Was kostet")).toBe(hasInterims);
    const heard = speech.requests().recent.filter(({ what }) => what === "heard");
    expect(heard.map((one) => [one.service, one.language])).toEqual([
      [service, "de"],
      [service, "de"],
    ]);
  });

  it("takes a server of one's own that knows no keys", async () => {
    const speech = await standIn();
    speech.hears(["Hallo."]);
    const { finals, hear } = listenWith({ provider, url: `${speech.url}/`, key: undefined });
    await hear(spoken);
    await until(() => expect(finals).toEqual(["Hallo."]));
  });

  it("says that a key is refused, and what to do", async () => {
    const speech = await standIn({ apiKey: "right" });
    const { connection, hear } = listenWith({ provider, url: speech.url, key: "wrong" });
    await hear(spoken);
    const why = await connection.over;
    expect(why).toBeInstanceOf(VendorAway);
    expect(why.message).toBe(`${provider} refuses the key: check the one that is set for it`);
    await expect(connection.proven).rejects.toBe(why);
  });

  it("is sent the sound byte by byte", async () => {
    const server = await deafServer();
    const { hear } = listenWith({ provider, url: server.url });
    await hear(spoken);
    await until(() => expect(Buffer.concat(server.came).length).toBeGreaterThan(60_000));
    const all = Buffer.from(spoken.buffer, spoken.byteOffset, spoken.byteLength);
    expect(all.includes(Buffer.concat(server.came))).toBe(true);
  });

  it("is let go at once, and leaves no connection", async () => {
    const server = await deafServer();
    const { connection, hear } = listenWith({ provider, url: server.url });
    await hear(spoken);
    await until(() => expect(server.came).not.toEqual([]));
    const closedAt = performance.now();
    connection.close();
    await connection.over;
    await until(() => expect(server.connections()).toBe(0));
    expect(performance.now() - closedAt).toBeLessThan(500);
  });

  it("is away where nobody answers", async () => {
    const { connection, hear } = listenWith({ provider, url: "http://127.0.0.1:9" });
    await hear(spoken);
    await expect(connection.proven).rejects.toThrow(
      `${provider} is not to be reached: check its address and the network`,
    );
  });
});
