import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectLive } from "./live-connection.ts";
import type { LiveOptions } from "./live-connection.ts";

const PING_MS = 2_000;
const sockets: FakeSocket[] = [];

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = FakeSocket.OPEN;
  binaryType = "blob";
  bufferedAmount = 0;
  readonly sent: (string | ArrayBuffer)[] = [];

  constructor() {
    super();
    sockets.push(this);
  }

  send(data: string | ArrayBuffer): void {
    this.sent.push(data);
  }

  close(): void {
    this.lose(1000);
  }

  lose(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  receive(data: string | ArrayBuffer): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  /** @param received the number of the visitor's last message that the server has. */
  welcome(received = 0, { sent = 0, transcript = [] as object[] } = {}): void {
    this.dispatchEvent(new Event("open"));
    const told = { resume_token: "r", received, sent, ping_ms: PING_MS, mode: "voice", transcript };
    this.receive(JSON.stringify({ type: "welcome", ...told }));
  }

  /** The numbers of the messages that went out, in order. */
  get numbers(): number[] {
    return this.sent
      .filter((data) => typeof data === "string")
      .flatMap((data) => (JSON.parse(data) as { seq?: number }).seq ?? []);
  }

  get sounds(): number {
    return this.sent.filter((data) => typeof data !== "string").length;
  }
}

beforeEach(() => {
  sockets.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", globalThis);
  const page = new EventTarget();
  vi.stubGlobal("document", Object.assign(page, { visibilityState: "visible" }));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function connect(given: Partial<LiveOptions> = {}) {
  const live = connectLive({
    liveUrl: "wss://live.example.com",
    sessionId: "s1",
    ticket: "t",
    sound: () => undefined,
    onWelcome() {},
    onMessage() {},
    onSound() {},
    onLost() {},
    onOver() {},
    ...given,
  });
  return { live, socket: sockets[0]! };
}

const FRAME = new ArrayBuffer(1_024);

// V2
test("sound is never kept for later", () => {
  const { live, socket } = connect();
  live.sendSound(FRAME);
  socket.welcome();
  live.sendSound(FRAME);
  expect(socket.sounds).toBe(1);
  socket.lose(1006);
  live.sendSound(FRAME);
  vi.advanceTimersByTime(300);
  sockets[1]!.welcome();
  expect(sockets[1]!.sounds).toBe(0);
});

// V5
test("what was typed before the welcome goes out before what the welcome gives rise to", () => {
  const { live, socket } = connect({ onWelcome: () => live.send({ type: "typing" }) });
  live.send({ type: "text", text: "Hello" });
  socket.welcome();
  expect(socket.numbers).toEqual([1, 2]);
  socket.lose(1006);
  vi.advanceTimersByTime(300);
  sockets[1]!.welcome(1);
  expect(sockets[1]!.numbers).toEqual([2, 3]);
});

// V5
test("what is typed on a new page before its welcome counts on from the page before", () => {
  const { live, socket } = connect();
  live.send({ type: "text", text: "Hello again" });
  socket.welcome(7);
  expect(socket.numbers).toEqual([8]);
});

// V5
test("what the page before may not have got rid of is sent once, and before anything of the new page", () => {
  const { live, socket } = connect({
    unsent: [
      { type: "text", text: "It has this", seq: 7 },
      { type: "text", text: "But not this", seq: 9 },
    ],
  });
  live.send({ type: "text", text: "New" });
  socket.welcome(7);
  expect(socket.numbers).toEqual([8, 9]);
  expect(socket.sent.slice(-3, -1)).toEqual([
    expect.stringContaining("But not this"),
    expect.stringContaining("New"),
  ]);
  expect(live.unsent).toHaveLength(2);
});

// V3
test("sound that the network cannot carry is passed over, words are not", () => {
  const { live, socket } = connect();
  socket.welcome();
  socket.bufferedAmount = 100_000;
  live.sendSound(FRAME);
  live.send({ type: "text", text: "Hello" });
  expect(socket.sounds).toBe(0);
  expect(socket.sent.at(-1)).toContain("Hello");
});

test("a hello that resumes says how far the sound was played", () => {
  const { socket } = connect({
    sound: () => ({ playing: { segment: 7, position_ms: 1_240 } }),
  });
  socket.welcome();
  expect(socket.sent[0]).not.toContain("playing");
  socket.lose(1006);
  vi.advanceTimersByTime(300);
  sockets[1]!.dispatchEvent(new Event("open"));
  expect(JSON.parse(sockets[1]!.sent[0] as string)).toMatchObject({
    resume_token: "r",
    playing: { segment: 7, position_ms: 1_240 },
  });
});

test("the agent's sound is handed on, but none of a socket that was given up", () => {
  const onSound = vi.fn<LiveOptions["onSound"]>();
  const { socket } = connect({ onSound });
  expect(socket.binaryType).toBe("arraybuffer");
  socket.welcome();
  socket.receive(FRAME);
  socket.lose(1006);
  vi.advanceTimersByTime(300);
  socket.receive(FRAME);
  expect(onSound).toHaveBeenCalledTimes(1);
});

// V2
test("a socket on which nothing comes any more is given up for another", () => {
  const onLost = vi.fn<() => void>();
  const { socket } = connect({ onLost });
  socket.welcome();
  for (let ping = 0; ping < 10; ping++) {
    vi.advanceTimersByTime(PING_MS);
    socket.receive(JSON.stringify({ type: "pong", received: 0 }));
  }
  expect(onLost).not.toHaveBeenCalled();
  // A line that swallows everything tells nobody that it does.
  socket.close = () => {};
  vi.advanceTimersByTime(4 * PING_MS);
  expect(onLost).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(300);
  expect(sockets).toHaveLength(2);
  socket.receive(JSON.stringify({ type: "state", seq: 9, state: "thinking" }));
  sockets[1]!.welcome();
  expect(onLost).toHaveBeenCalledOnce();
});

// V3
test("a silent socket is kept for longer while the agent is heard in a room", () => {
  const onLost = vi.fn<() => void>();
  let isHeardInRoom = true;
  const { socket } = connect({ onLost, sound: () => ({ playing: undefined, isHeardInRoom }) });
  socket.welcome();
  vi.advanceTimersByTime(14 * PING_MS);
  expect(onLost).not.toHaveBeenCalled();
  // A process that is stuck may still send silence.
  vi.advanceTimersByTime(2 * PING_MS);
  expect(onLost).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(300);
  sockets[1]!.welcome();
  vi.advanceTimersByTime(8 * PING_MS);
  isHeardInRoom = false;
  vi.advanceTimersByTime(PING_MS);
  expect(onLost).toHaveBeenCalledTimes(2);
});

// V2
test("a socket without a welcome is not waited for", () => {
  const { socket } = connect();
  socket.close = () => {};
  vi.advanceTimersByTime(8_300);
  expect(sockets).toHaveLength(2);
});

test("a page that has nothing yet is told so, also when its first welcome was all it got", () => {
  const onWelcome = vi.fn<LiveOptions["onWelcome"]>();
  const { socket } = connect({ onWelcome });
  socket.welcome();
  socket.lose(1006);
  vi.advanceTimersByTime(300);
  sockets[1]!.welcome();
  sockets[1]!.receive(JSON.stringify({ type: "state", seq: 1, state: "thinking" }));
  sockets[1]!.lose(1006);
  vi.advanceTimersByTime(300);
  sockets[2]!.welcome(0, { sent: 1 });
  expect(onWelcome.mock.calls.map(([, isFresh]) => isFresh)).toEqual([true, true, false]);
});

/** A call whose process has died, and another one has taken it over. */
function takeOver(options: Partial<LiveOptions> = {}, transcript: object[] = []): FakeSocket {
  const { live, socket } = connect(options);
  socket.welcome();
  live.sendSound(new ArrayBuffer(1_024));
  const heard = { type: "caption", turn: "t", role: "user", text: "Hello.", final: true };
  socket.receive(JSON.stringify({ ...heard, seq: 1 }));
  live.sendSound(new ArrayBuffer(1_024));
  live.sendSound(new ArrayBuffer(1_024));
  socket.lose(1006);
  vi.advanceTimersByTime(0);
  sockets[1]!.welcome(0, { sent: 2, transcript });
  return sockets[1]!;
}

// K2
test("another process tells all there is, and is sent what it has not heard", () => {
  const onWelcome = vi.fn<LiveOptions["onWelcome"]>();
  const { sounds } = takeOver({ onWelcome }, [{ role: "user", content: "Hello." }]);
  expect(onWelcome.mock.calls.map(([, isFresh]) => isFresh)).toEqual([true, true]);
  expect(sounds).toBe(2);
});

test("another process is sent what was said in a room that is gone", () => {
  let isSentInRoom = true;
  const onLost = (): void => void (isSentInRoom = false);
  const { sounds } = takeOver({ onLost, sound: () => ({ playing: undefined, isSentInRoom }) });
  expect(sockets[0]!.sounds).toBe(0);
  expect(sounds).toBe(2);
});

test("what another process knows as a turn is not sent to it as sound", () => {
  const said = { role: "user", content: "Hello." };
  expect(takeOver({}, [said, said]).sounds).toBe(0);
});

test("a lost process is looked for at once, and then less and less often", () => {
  const { socket } = connect();
  socket.welcome();
  for (const [lost, withinMs] of [0, 750, 1_500, 3_000].entries()) {
    sockets[lost]!.lose(1006);
    vi.advanceTimersByTime(withinMs);
    expect(sockets).toHaveLength(lost + 2);
  }
});
