import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRawReceiver } from "#testing";
import type { RawReceiver, RawReceiverOptions } from "#testing";
import { createEgress, DEADLINE_MS } from "./egress.ts";
import type { EgressOutcome, EgressRequest } from "./egress.ts";

let receiver: RawReceiver;

/** Posts one small request to a receiver that answers so. */
async function post(
  answer: (socket: Socket) => unknown,
  request: Partial<EgressRequest> = {},
  options: RawReceiverOptions = {},
): Promise<EgressOutcome> {
  receiver = await startRawReceiver(answer, options);
  onTestFinished(receiver.close);
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
  return egress.post({
    url: `http://127.0.0.1:${receiver.port}/hook?x=1`,
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"a":"ä"}'),
    deadlineMs: 5_000,
    ...request,
  });
}

function answering(text: string): (socket: Socket) => unknown {
  return (socket) => socket.write(text);
}

it("sends the bytes it was given, and hands back the answer", async () => {
  const outcome = await post(
    answering("HTTP/1.1 200 Fine\r\ncontent-length: 4\r\nx-a: 1\r\nx-a: 2\r\n\r\ngood"),
  );
  const headers = { "content-length": "4", "x-a": ["1", "2"] };
  const body = Buffer.from("good");
  expect(outcome).toMatchObject({ kind: "answered", status: 200, headers, body, bodyEnd: "whole" });
  const [request] = receiver.requests;
  expect(request?.head).toContain("POST /hook?x=1 HTTP/1.1\r\n");
  expect(request?.head).toContain(`host: 127.0.0.1:${receiver.port}\r\n`);
  expect(request?.head).toContain("content-type: application/json");
  expect(request?.body.toString()).toBe('{"a":"ä"}');
});

it("reads a page with GET, as much of it as it was told to", async () => {
  receiver = await startRawReceiver(
    answering("HTTP/1.1 200 Fine\r\ncontent-length: 40000\r\n\r\n" + "x".repeat(40_000)),
  );
  onTestFinished(receiver.close);
  const { port } = receiver;
  const read = (bytes: number, allowPrivate = true): Promise<EgressOutcome> =>
    createEgress({ allowPlainHttp: true, allowPrivate }).get({
      url: `http://127.0.0.1:${port}/page`,
      headers: { accept: "text/html" },
      limits: { bytes, waitMs: 5_000 },
    });
  expect(await read(50_000)).toMatchObject({ body: { length: 40_000 }, bodyEnd: "whole" });
  expect(await read(20_000)).toMatchObject({ body: { length: 20_000 }, bodyEnd: "cut" });
  expect(await read(20_000, false)).toMatchObject({ kind: "failed", why: "bad_address" });
  expect(receiver.requests.map(({ head }) => head.split("\r\n", 1)[0])).toEqual([
    "GET /page HTTP/1.1",
    "GET /page HTTP/1.1",
  ]);
});

// W1: at a twentieth of the real deadline, so that the suite stays quick
describe("the deadline", () => {
  const after = (delayMs: number) => (socket: Socket) =>
    setTimeout(() => socket.write("HTTP/1.1 204 \r\n\r\n"), delayMs);

  it("is ten seconds", () => {
    expect(DEADLINE_MS).toBe(10_000);
  });

  it("is kept by a status just before it", async () => {
    const outcome = await post(after(250), { deadlineMs: 500 });
    expect(outcome).toMatchObject({ kind: "answered", status: 204 });
    expect(outcome.tookMs).toBeGreaterThan(240);
  });

  it("is missed by a status just after it", async () => {
    const outcome = await post(after(600), { deadlineMs: 500 });
    const detail = "while waiting for the status";
    expect(outcome).toMatchObject({ kind: "failed", why: "timed_out", detail });
    expect(outcome.tookMs).toBeGreaterThan(495);
    expect(outcome.tookMs).toBeLessThan(590);
  });

  it("is missed by a header that comes byte by byte", async () => {
    const drip = (socket: Socket): void => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    };
    expect(await post(drip, { deadlineMs: 300 })).toMatchObject({ why: "timed_out" });
  });

  it("is missed by a receiver that does not read", async () => {
    const request = { body: Buffer.alloc(50_000_000), deadlineMs: 300 };
    const outcome = await post(() => {}, request, { onConnection: (socket) => socket.pause() });
    expect(outcome).toMatchObject({ kind: "failed", why: "timed_out" });
  });

  it("gives way to a caller who stops earlier", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const outcome = await post(() => {}, { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: "failed", why: "aborted" });
    expect(await post(() => {}, { signal: AbortSignal.abort() })).toMatchObject({ why: "aborted" });
    expect(receiver.requests).toEqual([]);
  });
});

// W2
describe("the body of an answer", () => {
  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

  it("is kept whole up to 16 KB", async () => {
    const text = "x".repeat(16_384);
    const outcome = await post(
      answering(`HTTP/1.1 200 OK\r\ncontent-length: 16384\r\n\r\n${text}`),
    );
    expect(outcome).toMatchObject({ status: 200, bodyEnd: "whole", body: Buffer.from(text) });
  });

  it("is cut after 16 KB when it has no end, and the socket closed", async () => {
    let isClosed = false;
    const endless = (socket: Socket): void => {
      socket.on("close", () => (isClosed = true));
      const chunk = `1000\r\n${"y".repeat(4_096)}\r\n`;
      const more = (): void => {
        while (socket.writable && socket.write(chunk));
      };
      socket.write(chunked);
      socket.on("drain", more);
      more();
    };
    const outcome = await post(endless);
    expect(outcome).toMatchObject({ kind: "answered", status: 200, bodyEnd: "cut" });
    expect(outcome).toHaveProperty("body.length", 16_384);
    await expect.poll(() => isClosed).toBe(true);
  });

  it("is waited for a second at most", async () => {
    const outcome = await post(answering("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\nx"));
    expect(outcome).toMatchObject({ status: 200, bodyEnd: "cut", body: Buffer.from("x") });
    expect(outcome.tookMs).toBeLessThan(500);
  });

  it("does not turn an answer into a failure when the deadline passes meanwhile", async () => {
    const promise = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n";
    const outcome = await post(answering(promise), { deadlineMs: 200 });
    expect(outcome).toMatchObject({ kind: "answered", status: 200, bodyEnd: "cut" });
  });

  it("is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const outcome = await post((socket) => {
      const head = `content-encoding: gzip\r\ncontent-length: ${bomb.length}`;
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(outcome).toMatchObject({ status: 200, body: bomb });
  });

  it("does not undo the status when it breaks off or is chunked badly", async () => {
    for (const rest of ["content-length: 9\r\n\r\nx", "transfer-encoding: chunked\r\n\r\nzz\r\n"]) {
      const outcome = await post((socket) => socket.end(`HTTP/1.1 201 OK\r\n${rest}`));
      expect(outcome).toMatchObject({ kind: "answered", status: 201, bodyEnd: "broken" });
    }
  });
});

// W3
describe("the status", () => {
  it.each([200, 204, 206, 299, 300, 304, 400, 410, 429, 500, 599])("%i is told", async (status) => {
    const outcome = await post(answering(`HTTP/1.1 ${status} \r\ncontent-length: 0\r\n\r\n`));
    expect(outcome).toMatchObject({ kind: "answered", status });
  });

  it.each([301, 302, 303, 307, 308])("%i is not followed", async (status) => {
    const outcome = await post((socket) => {
      const location = `http://127.0.0.1:${receiver.port}/elsewhere`;
      socket.write(`HTTP/1.1 ${status} \r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
    });
    expect(outcome).toMatchObject({ kind: "answered", status });
    expect(receiver.requests).toHaveLength(1);
  });

  it("is the one after a few interim ones", async () => {
    const hint = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    const outcome = await post(
      answering(`${hint}${hint}HTTP/1.1 202 \r\ncontent-length: 0\r\n\r\n`),
    );
    expect(outcome).toMatchObject({ kind: "answered", status: 202 });
  });

  it.each([
    ["a flood of 102", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["a flood of 100", "HTTP/1.1 100 Continue\r\n\r\n"],
    [
      "101, which nobody asked for",
      "HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
  ])("never comes from %s", async (_name, interim) => {
    const outcome = await post(answering(interim.repeat(1_000)));
    expect(outcome).toMatchObject({ kind: "failed", why: "bad_answer" });
  });
});
