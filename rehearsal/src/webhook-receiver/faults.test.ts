import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { faultKinds } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { post, RawConnection, receiverUnderTest } from "./receiver-under-test.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

const MEGABYTE = 1_048_576;
/** Megabytes take a while on a busy machine. */
const SLOWLY = { timeout: 4_500 };
let receiver: WebhookReceiver;

/** Sends one request to a receiver that fails so. */
async function sendTo(fault: Fault, body?: string): Promise<RawConnection> {
  receiver = await receiverUnderTest({ faults: [fault] });
  const connection = RawConnection.open(receiver.url);
  connection.send(body);
  return connection;
}

function received() {
  return receiver.requests()[0]!;
}

// W1
describe("time", () => {
  it("passes before a late answer", async () => {
    receiver = await receiverUnderTest({ faults: [{ kind: "late", afterMs: 300 }] });
    const startedAt = performance.now();
    expect((await post(receiver)).status).toBe(204);
    expect(performance.now() - startedAt).toBeGreaterThan(295);
    expect(received()).toMatchObject({ fault: "late", status: 204 });
    expect(received().tookMs).toBeGreaterThan(299);
  });

  it("never ends when it is silent", async () => {
    const { socket, ...connection } = await sendTo({ kind: "silent" });
    await delay(300);
    expect(connection).toMatchObject({ ended: undefined });
    expect(received()).toMatchObject({ fault: "silent", bytes: expect.any(Number) as number });
    expect(receiver.counts()).toMatchObject({ open: 1 });
    socket.destroy();
    await expect.poll(() => receiver.counts().open).toBe(0);
    expect(receiver.counts().statuses).toEqual({ none: 1 });
  });

  it("goes by between the bytes of a dripping answer", async () => {
    const connection = await sendTo({ kind: "drip" });
    await delay(1_300);
    expect(connection.text).toBe("HT");
  });
});

// W2
describe("a body", () => {
  it("has no end", async () => {
    const connection = await sendTo({ kind: "endless_body" });
    await expect.poll(() => connection.received.length, SLOWLY).toBeGreaterThan(4 * MEGABYTE);
    expect(connection.text).toMatch(
      /^HTTP\/1\.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10000/,
    );
    expect(received()).toMatchObject({ status: 200 });
  });

  it("is a gigabyte", async () => {
    const connection = await sendTo({ kind: "huge_body" });
    await expect.poll(() => connection.received.length, SLOWLY).toBeGreaterThan(4 * MEGABYTE);
    expect(connection.text).toContain("content-length: 1073741824");
  });

  it("drips after its status", async () => {
    const connection = await sendTo({ kind: "dripping_body" });
    await expect.poll(() => connection.text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n.$/s);
  });

  it("unpacks to more than anybody has room for", async () => {
    const connection = await sendTo({ kind: "gzip_bomb" });
    await expect.poll(() => connection.ended, SLOWLY).toBe("FIN");
    const packed = connection.received.subarray(connection.received.indexOf("\r\n\r\n") + 4);
    expect(packed.length).toBeLessThan(1.2 * MEGABYTE);
    const unpack = () => gunzipSync(packed, { maxOutputLength: 32 * MEGABYTE });
    expect(unpack).toThrow("larger than");
  });
});

// W3
describe("a status", () => {
  it.each([200, 204, 206, 299, 301, 308, 410, 429, 500, 599])("is %i", async (status) => {
    receiver = await receiverUnderTest({ faults: [{ kind: "status", status }] });
    const response = await post(receiver);
    expect(response.status).toBe(status);
    expect(response.headers.get("location")).toBe(
      status === 301 || status === 308 ? "/moved" : null,
    );
    expect(response.headers.has("retry-after")).toBe(status === 429);
    expect(received()).toMatchObject({ status });
  });

  it("never comes from a flood of interim ones", async () => {
    const connection = await sendTo({ kind: "interim_flood" });
    await expect.poll(() => connection.received.length).toBeGreaterThan(MEGABYTE);
    expect(new Set(connection.text.split("\r\n\r\n").slice(0, -1))).toEqual(
      new Set(["HTTP/1.1 102 Processing"]),
    );
  });
});

// W4
describe("a connection", () => {
  it.each(["reset_before_body", "reset_in_body", "reset_after_body"] as const)(
    "ends by %s",
    async (kind) => {
      const connection = await sendTo({ kind });
      await expect.poll(() => connection.ended).toBe("ECONNRESET");
      expect(connection.text).toBe("");
      expect(received().fault).toBe(kind);
      expect(received().bytes === undefined).toBe(kind === "reset_before_body");
    },
  );

  it("is reset in the middle of a large body", async () => {
    const connection = await sendTo({ kind: "reset_in_body" }, "x".repeat(8 * MEGABYTE));
    await expect.poll(() => connection.ended).toMatch(/ECONNRESET|EPIPE/);
    expect(received()).not.toHaveProperty("bytes");
    await expect.poll(() => received().tookMs).toBeDefined();
  });

  it("is reset in the middle of the answer", async () => {
    const connection = await sendTo({ kind: "reset_in_answer" });
    await expect.poll(() => connection.ended).toBe("ECONNRESET");
    expect(received()).toMatchObject({ status: 200 });
  });

  it("is closed without an answer", async () => {
    const connection = await sendTo({ kind: "close" });
    await expect.poll(() => connection.ended).toBe("FIN");
    expect(connection.text).toBe("");
  });
});

// W4
it.each<[Fault["kind"], RegExp]>([
  ["http_0_9", /^<html>/],
  ["huge_header", /^HTTP\/1\.1 200 OK\r\nx-huge: x{1048576}\r\n\r\n$/],
  ["bad_chunks", /^HTTP\/1\.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nmany\r\n/],
])("what %s sends is no good HTTP", async (kind, answer) => {
  const connection = await sendTo({ kind });
  await expect.poll(() => connection.ended).toBe("FIN");
  expect(connection.text).toMatch(answer);
});

// W7
it("closes a kept connection as the next request comes, and only then", async () => {
  const connection = await sendTo({ kind: "close_reused" });
  await expect.poll(() => connection.text).toMatch(/^HTTP\/1\.1 204 /);
  expect(connection.ended).toBeUndefined();
  connection.send();
  await expect.poll(() => connection.ended).toBe("FIN");
  expect(connection.text.match(/HTTP/g)).toHaveLength(1);
  expect(receiver.counts()).toMatchObject({
    total: 2,
    connections: 1,
    faults: { close_reused: 1 },
  });
});

it("is explained by the README, switch by switch", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const missing = Object.entries(faultKinds).filter(
    ([kind, { does }]) => !readme.includes(`| \`${kind}\` | ${does} |`),
  );
  expect(missing).toEqual([]);
});
