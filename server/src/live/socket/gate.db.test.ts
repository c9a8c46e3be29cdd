import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createLiveWorld, LiveBrowser } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, vi } from "vitest";
import type { LiveOptions } from "../live.ts";
import { startLiveUnderTest } from "../live-under-test.ts";

async function stageOn(database: TestDatabase, options: Partial<LiveOptions> = {}) {
  const world = await createLiveWorld(database);
  const live = await startLiveUnderTest(world, options);
  return { world, ...live, enter: () => world.enter(live.url) };
}

const text = (seq: number): object => ({ type: "text", seq, text: `number ${seq}` });

// S14, V5
databaseTest.for<[string, number, (browser: LiveBrowser) => void]>([
  ["no JSON", 4000, (browser) => browser.raw("hello")],
  ["a message that is not ours", 4000, (browser) => browser.raw({ type: "admin" })],
  ["a second hello", 4000, (browser) => void browser.hello("x", { ticket: "x" }).catch(() => {})],
  ["a gap in the numbers", 4000, (browser) => browser.raw(text(2))],
  [
    "an answer to what was never sent",
    4000,
    (browser) => browser.raw({ type: "ping", received: 99 }),
  ],
  ["sound in a session without voice", 1003, (browser) => browser.raw(Buffer.alloc(640))],
  ["a frame of 100 KB", 1009, (browser) => browser.raw("x".repeat(100_000))],
  [
    "text that is no UTF-8",
    1007,
    (browser) => browser.socket.send(Buffer.from([0xff]), { binary: false }),
  ],
  [
    "a flood",
    4005,
    (browser) => {
      for (let count = 0; count < 300; count++) browser.raw({ type: "ping", received: 0 });
    },
  ],
  [
    "a flood of control frames",
    4005,
    (browser) => {
      for (let count = 0; count < 300; count++) browser.socket.ping();
    },
  ],
])("%s closes that socket and nothing else", async ([, code, send], { database }) => {
  const stage = await stageOn(database);
  const neighbour = await stage.enter();
  const { id, browser, welcome } = await stage.enter();
  send(browser);
  expect(await browser.closed()).toBe(code);

  const back = await LiveBrowser.open(stage.url);
  await back.hello(id, { resume_token: welcome.resume_token });
  back.send({ type: "text", text: "Still me" });
  neighbour.browser.send({ type: "text", text: "Still here" });
  await vi.waitFor(() => {
    expect(stage.conversations[1]!.calls).toContain("hear Still me");
    expect(stage.conversations[0]!.calls).toContain("hear Still here");
  });
});

// V5
databaseTest("what comes twice is heard once, what comes late not at all", async ({ database }) => {
  const stage = await stageOn(database);
  const { browser } = await stage.enter();
  for (const seq of [1, 1, 2, 1, 2, 3]) browser.raw(text(seq));
  browser.raw({ type: "end", seq: 4 });
  await browser.first("ended");
  browser.raw(text(5));
  browser.ping();
  expect(await browser.first("pong")).toMatchObject({ received: 5 });
  const heard = stage.conversations[0]!.calls.filter((call) => call.startsWith("hear"));
  expect(heard).toEqual(["hear number 1", "hear number 2", "hear number 3"]);
});

databaseTest(
  "who pours out words faster than anybody can type is cut off",
  async ({ database }) => {
    const stage = await stageOn(database);
    const { browser } = await stage.enter();
    stage.conversations[0]!.onHear = () => new Promise(() => {});
    for (let seq = 1; seq <= 50; seq++) browser.raw(text(seq));
    expect(await browser.closed()).toBe(4005);
    expect(stage.conversations[0]!.calls.filter((call) => call.startsWith("hear"))).toHaveLength(
      10,
    );
  },
);

// A5
databaseTest("a ticket opens one session, until its token is used", async ({ database }) => {
  const { world, url } = await stageOn(database);
  const [mine, other] = [await world.visit(), await world.visit()];
  const tryWith = async (...hello: Parameters<LiveBrowser["hello"]>): Promise<unknown> => {
    const browser = await LiveBrowser.open(url);
    return browser.hello(...hello).catch(() => browser.closed());
  };
  expect(await tryWith(mine.id, { ticket: other.ticket })).toBe(4002);
  expect(await tryWith(mine.id, { ticket: randomBytes(32).toString("base64url") })).toBe(4002);
  expect(await tryWith("0199d1c8-8ee0-7000-8000-000000000000", { ticket: mine.ticket })).toBe(4002);
  expect(await tryWith(mine.id, { resume_token: mine.ticket })).toBe(4002);
  expect(await tryWith(mine.id, { ...mine, resume_token: "x" })).toBe(4000);
  const welcome = await tryWith(mine.id, { ticket: mine.ticket });
  expect(welcome).toMatchObject({ type: "welcome" });

  const { resume_token: token } = welcome as { resume_token: string };
  expect(await tryWith(other.id, { resume_token: token })).toBe(4002);
  const lost = await LiveBrowser.open(url);
  await lost.hello(mine.id, { resume_token: token });
  expect(await tryWith(mine.id, { ticket: mine.ticket })).toBe(4002);
  const back = await LiveBrowser.open(url);
  const { resume_token: next } = await back.hello(mine.id, { resume_token: token });
  expect(await lost.closed()).toBe(4001);
  back.send({ type: "end" });
  await back.first("ended");
  expect(await tryWith(mine.id, { resume_token: next })).toBe(4002);

  await database.pool.query("UPDATE visits SET ticket_until = clock_timestamp()");
  expect(await tryWith(other.id, { ticket: other.ticket })).toBe(4002);
});

// S13
databaseTest(
  "who says no hello, or talks before the welcome, is sent away",
  async ({ database }) => {
    const { world, url } = await stageOn(database, { times: { helloWithinMs: 100 } });
    expect(await (await LiveBrowser.open(url)).closed()).toBe(4004);
    const eager = await LiveBrowser.open(url);
    eager.raw(text(1));
    expect(await eager.closed()).toBe(4000);
    const { id, ticket } = await world.visit();
    const hasty = await LiveBrowser.open(url);
    const hello = hasty.hello(id, { ticket });
    hasty.raw(text(1));
    await expect(hello).rejects.toThrow("4000");
  },
);

// S13, A8
databaseTest("sockets that say nothing are bounded, per address too", async ({ database }) => {
  const { url } = await stageOn(database, { trustedProxies: ["127.0.0.1"] });
  const from = (address: string): Promise<LiveBrowser> =>
    LiveBrowser.open(url, { "x-forwarded-for": address });
  const mine = await Promise.all(Array.from({ length: 60 }, () => from("198.51.100.1")));
  expect(mine.filter(({ closeCode }) => closeCode === 1006)).toHaveLength(10);
  expect((await from("198.51.100.2")).closeCode).toBeUndefined();
});

databaseTest("what is no WebSocket gets an answer, or at least an end", async ({ database }) => {
  const { url } = await stageOn(database);
  const { port } = new URL(url);
  const ask = async (request: string): Promise<string> => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(request);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  };
  const upgrade = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
  expect(await ask(`GET /sdk/v1/live HTTP/1.1\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  expect(await ask(`POST /sdk/v1/live HTTP/1.1\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1.1 405 /);
  expect(await ask(`GET /elsewhere HTTP/1.1\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1.1 404 /);
});
