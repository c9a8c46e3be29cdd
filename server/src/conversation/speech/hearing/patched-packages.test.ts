import { getEventListeners, once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as agents from "@livekit/agents";
import * as deepgram from "@livekit/agents-plugin-deepgram";
import { AudioFrame } from "@livekit/rtc-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocketServer } from "ws";

/** What the patches of the pinned packages cure. A new version that passes needs none. */

const require = createRequire(import.meta.url);
const builds = [
  { build: "as imported", agents, deepgram },
  {
    build: "as required",
    agents: require("@livekit/agents") as typeof agents,
    deepgram: require("@livekit/agents-plugin-deepgram") as typeof deepgram,
  },
];

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const COUNT = 300;
/** What is being read, and what the machinery has in hand. */
const FEW = 10;

async function countKept(given: readonly WeakRef<object>[]): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await nextTurn();
    collectGarbage();
  }
  return given.filter((value) => value.deref() !== undefined).length;
}

/** Takes connections, and says nothing. */
async function openServer(): Promise<{ url: string; server: WebSocketServer }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  onTestFinished(async () => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `ws://127.0.0.1:${portOf(server.address())}`, server };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0;

describe.each(builds)("the packages $build", (packages) => {
  packages.agents.initializeLogger({ pretty: false, level: "silent" });

  function deepgramStream(url: string) {
    const recogniser = new packages.deepgram.STT({ apiKey: "key", baseUrl: url });
    const errors: Error[] = [];
    recogniser.on("error", ({ error }) => void errors.push(error));
    const connOptions = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 200 };
    const stream = recogniser.stream({ connOptions });
    onTestFinished(() => stream.close());
    return { stream, errors };
  }

  it("keep nothing of a stream that was read until a signal that never comes", async () => {
    const given: WeakRef<object>[] = [];
    const endless = new ReadableStream<object>({
      pull(controller) {
        const value = { number: given.length };
        given.push(new WeakRef(value));
        controller.enqueue(value);
      },
    });
    const reading = packages.agents.readStream(endless, new AbortController().signal);
    for (let count = 0; count < COUNT; count++) {
      await reading.next();
      await nextTurn();
    }
    expect(given.length).toBeGreaterThanOrEqual(COUNT);
    expect(await countKept(given)).toBeLessThan(FEW);
  });

  it("end such a reading when the signal comes", async () => {
    const abort = new AbortController();
    const reading = packages.agents.readStream(new ReadableStream(), abort.signal);
    const next = reading.next();
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });

  it("keep nothing of the sound that Deepgram was sent", async () => {
    const { url, server } = await openServer();
    const { stream } = deepgramStream(url);
    await once(server, "connection");
    const given: WeakRef<object>[] = [];
    for (let count = 0; count < COUNT; count++) {
      const frame = new AudioFrame(new Int16Array(512).fill(1_000), 16_000, 1, 512);
      given.push(new WeakRef(frame));
      stream.pushFrame(frame);
      await nextTurn();
    }
    expect(await countKept(given)).toBeLessThan(FEW);
  });

  it("notice that Deepgram is gone", async () => {
    const { url, server } = await openServer();
    const { errors } = deepgramStream(url);
    await once(server, "connection");
    for (const client of server.clients) client.terminate();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
  });

  it("notice that Deepgram does not answer", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { errors } = deepgramStream(`ws://127.0.0.1:${portOf(server.address())}`);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
  });
});
