import type {
  LiveClientMessage,
  LiveCloseCodes,
  LiveHello,
  LivePong,
  LiveServerMessage,
  LiveWelcome,
  ReturnWithinSecs,
} from "@svc/contract/types";
import type { Sound } from "../sound/index.ts";

const RETURN_WITHIN_SECS: ReturnWithinSecs = 60;
/** A visitor who is away for longer has been given up by the server. */
export const RETURN_WITHIN_MS: number = RETURN_WITHIN_SECS * 1_000;

/** What the call says; its number is given here. */
export type Outgoing = LiveClientMessage extends infer Message
  ? Message extends { seq: number }
    ? Omit<Message, "seq">
    : never
  : never;

/** By what the server counts it. */
export type Numbered = Outgoing & { seq: number };

/** What the server says beside welcomes and pongs. */
export type LiveNews = Exclude<LiveServerMessage, LiveWelcome | LivePong>;

export interface LiveConnection {
  /** What the server may not have yet. */
  readonly unsent: Numbered[];
  send(message: Outgoing): void;
  /** Sound is of the moment: what cannot be sent now is not sent later, but to a process that takes over. */
  sendSound(bytes: ArrayBuffer): void;
  /** Lets go of the socket and says nothing more. */
  close(): void;
}

export interface LiveOptions {
  liveUrl: string;
  sessionId: string;
  /** For the first hello; a resume token takes its place afterwards. */
  ticket?: string | undefined;
  resumeToken?: string | undefined;
  /** What the page before may not have got rid of. */
  unsent?: Numbered[];
  /** On a page that has nothing yet, the welcome tells all there is. */
  onWelcome: (welcome: LiveWelcome, isFresh: boolean) => void;
  /** Each message once, in order. */
  onMessage: (message: LiveNews) => void;
  onSound: (bytes: ArrayBuffer) => void;
  /** While there is any. What was played of it is for a hello that resumes. */
  sound: () => Pick<Sound, "playing" | "isSentInRoom" | "isHeardInRoom"> | undefined;
  onLost: () => void;
  /** It will not come back. `moved`: another tab has it. */
  onOver: (why: "over" | "moved") => void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 4_000;
/** A socket that opens and stays silent is no better than none. */
const WELCOME_WITHIN_MS = 8_000;
/** So many pings without a word from the server, and the socket is dead, though nobody has said so. */
const MAX_UNANSWERED = 3;
/**
 * Where sound arrives, the server is there: a network that loses packets holds up the socket, and another would fare no better.
 * The server waits as long.
 */
const MAX_UNANSWERED_WITH_SOUND = 15;
/** Fifteen seconds of sound, in frames. */
const MAX_RECENT = 480;
/** Two seconds of sound: the network is behind, and what is older is of no use to anybody. */
const MAX_WAITING_BYTES = 64_000;

const MOVED: LiveCloseCodes["moved"] = 4001;
const REFUSED: LiveCloseCodes["refused"] = 4002;
const OVER: LiveCloseCodes["over"] = 4003;
const DONE: LiveCloseCodes["done"] = 1000;
/** The browser's own, for a socket that was not closed by either side. */
const NOT_CLEAN = 1006;
/** Before the welcome nobody knows what to count from: more than any server has received. */
const UNKNOWN = 1e9;

/**
 * One conversation over as many sockets as it takes. What the server has not acknowledged is sent
 * again after a reconnection, and what comes twice is passed over.
 */
export function connectLive(options: LiveOptions): LiveConnection {
  let { ticket, resumeToken, unsent = [] } = options;
  let socket: WebSocket | undefined;
  let isOpen = false;
  let isClosed = false;
  let received = 0;
  let sent = UNKNOWN;
  let lostAt: number | undefined;
  let tries = 0;
  let timer: number | undefined;
  let pinger: number | undefined;
  let unanswered = 0;
  /** The sound since the visitor's last turn: a process that takes over has not heard it. */
  let recent: ArrayBuffer[] = [];
  let turns = 0;

  function connect(): void {
    if (isClosed) return;
    clearTimeout(timer);
    const own = new WebSocket(options.liveUrl, "svc.live.v1");
    socket = own;
    own.binaryType = "arraybuffer";
    timer = window.setTimeout(drop, WELCOME_WITHIN_MS);
    own.addEventListener("open", () => {
      const hello: LiveHello = {
        type: "hello",
        protocol: "svc.live.v1",
        session_id: options.sessionId,
        received,
      };
      own.send(
        JSON.stringify(
          resumeToken === undefined
            ? { ...hello, ticket }
            : { ...hello, resume_token: resumeToken, playing: options.sound()?.playing },
        ),
      );
    });
    own.addEventListener("message", ({ data }) => {
      if (own !== socket) return;
      unanswered = 0;
      if (typeof data === "string") take(JSON.parse(data) as LiveServerMessage);
      else options.onSound(data as ArrayBuffer);
    });
    own.addEventListener("close", ({ code }) => {
      if (own === socket) lost(code);
    });
  }

  function take(message: LiveServerMessage): void {
    if (message.type === "welcome") welcome(message);
    else if (message.type === "pong") acknowledge(message.received);
    else if (message.seq > received) {
      received = message.seq;
      if (message.type === "caption" && message.role === "user" && message.final) hear(turns + 1);
      options.onMessage(message);
    }
  }

  /** So many turns of the visitor's are known. */
  function hear(known: number): void {
    if (known > turns) recent = [];
    turns = known;
  }

  function welcome(message: LiveWelcome): void {
    clearTimeout(timer);
    // The server tells all there is: the page is new, or another process has taken over.
    const isTakenOver = message.sent !== received;
    const isFresh = received === 0 || isTakenOver;
    resumeToken = message.resume_token;
    ticket = undefined;
    received = message.sent;
    acknowledge(message.received);
    // A new page counts on from where the last one was heard.
    sent = message.received;
    for (const waiting of unsent) waiting.seq = ++sent;
    if (isFresh) hear(message.transcript.filter(({ role }) => role === "user").length);
    if (isTakenOver && message.mode === "voice") for (const bytes of recent) socket!.send(bytes);
    isOpen = true;
    lostAt = undefined;
    tries = 0;
    // Before anything that the welcome gives rise to: the server takes no number out of order.
    for (const waiting of unsent) write(waiting);
    options.onWelcome(message, isFresh);
    // With it the server knows that the new token has arrived, and older ones die.
    ping();
    clearInterval(pinger);
    pinger = window.setInterval(() => {
      const isHeard = options.sound()?.isHeardInRoom;
      if (unanswered++ < (isHeard ? MAX_UNANSWERED_WITH_SOUND : MAX_UNANSWERED)) ping();
      else drop();
    }, message.ping_ms);
  }

  function ping(): void {
    write({ type: "ping", received });
  }

  /** Without waiting for the other side, which may be out of reach. */
  function drop(): void {
    const dead = socket;
    lost(NOT_CLEAN);
    dead?.close();
  }

  function acknowledge(seq: number): void {
    unsent = unsent.filter((message) => message.seq > seq);
  }

  function lost(code: number): void {
    socket = undefined;
    isOpen = false;
    clearTimeout(timer);
    clearInterval(pinger);
    if (isClosed) return;
    lostAt ??= Date.now();
    const isOver = code === OVER || code === REFUSED || code === DONE;
    if (code === MOVED || isOver || Date.now() - lostAt > RETURN_WITHIN_MS) {
      close();
      options.onOver(code === MOVED ? "moved" : "over");
      return;
    }
    options.onLost();
    // At once, and then apart from all the others that have lost the same process.
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** tries, LONGEST_RETRY_MS);
    timer = window.setTimeout(connect, tries++ && retryMs * (0.5 + Math.random()));
  }

  /** The network is back, or the tab was thawed: no need to wait for the timer. */
  function hurry(): void {
    if (isOpen) ping();
    else if (socket === undefined && document.visibilityState === "visible") connect();
  }

  function write(message: object): void {
    if (canSend(socket)) socket.send(JSON.stringify(message));
  }

  function canSend(one: WebSocket | undefined): one is WebSocket {
    return isOpen && one?.readyState === WebSocket.OPEN;
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    clearInterval(pinger);
    listening.abort();
    socket?.close();
  }

  // It is their options too: its signal takes all of them away.
  const listening = new AbortController();
  addEventListener("online", hurry, listening);
  document.addEventListener("visibilitychange", hurry, listening);
  document.addEventListener("resume", hurry, listening);
  connect();

  return {
    get unsent() {
      return unsent;
    },
    send(message) {
      const numbered = { ...message, seq: ++sent };
      unsent.push(numbered);
      write(numbered);
    },
    sendSound(bytes) {
      if (recent.push(bytes) > MAX_RECENT) recent.shift();
      if (options.sound()?.isSentInRoom) return;
      if (canSend(socket) && socket.bufferedAmount < MAX_WAITING_BYTES) socket.send(bytes);
    },
    close,
  };
}
