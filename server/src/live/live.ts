import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { limitConnections, newUuid } from "#platform";
import type { ConnectionLimit, Log, Metrics } from "#platform";
import { HEARTBEAT_MS, endPresence, isShared, liveOffer, renewPresence } from "#sessions";
import { CALL_TIMES } from "./call/call-options.ts";
import type { CallTimes } from "./call/call-options.ts";
import { Calls } from "./calls.ts";
import type { CallsOptions } from "./calls.ts";
import { LoopWatch, strainOf } from "./loop-watch.ts";
import type { Strain } from "./loop-watch.ts";
import type { Rooms } from "./media/rooms.ts";
import { createLiveMetrics } from "./metrics.ts";
import { Gate, trustedProxies } from "./socket/gate.ts";

/** The visitors' sockets and the conversations behind them. */
export interface Live {
  /** For the http server's event `upgrade`. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The conversations of this process, and the most that it holds. */
  readonly load: Strain & { sessions: number; capacity: number };
  /** Takes no new sessions, moves the others to processes that have room or lets them finish for a while, and then lets go of them. */
  stop(): Promise<void>;
}

export interface LiveOptions extends Omit<
  CallsOptions,
  "processId" | "metrics" | "times" | "findingOut" | "isBusy"
> {
  metrics: Metrics;
  /** Addresses or ranges of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  /** Sockets at once from one address; 0 for no limit. */
  connectionsPerAddress: number;
  /** How long conversations may go on once the process is told to stop. Without any, it stops at once. */
  drainMs: number;
  /** For tests. Measured unless it is given. */
  loopDelayMs?: number;
  times?: Partial<CallTimes & { helloWithinMs: number }>;
}

const HELLO_WITHIN_MS = 5_000;
const MAX_WAITING = 500;
/** An office behind one address may open a few at once. */
const MAX_WAITING_PER_ADDRESS = 50;
/**
 * Between two calls that are handed over. A process that has just started needs up to a tenth of a second for each, so
 * those that come at once would wait for each other.
 */
const HAND_OVER_MS = 200;

export async function startLive(options: LiveOptions): Promise<Live> {
  const { db, log, clock, capacity, models, drainMs } = options;
  const { helloWithinMs = HELLO_WITHIN_MS, ...times } = { ...CALL_TIMES, ...options.times };
  const processId = newUuid();
  const liveMetrics = createLiveMetrics(options.metrics, {
    sessions: () => calls.size,
    capacity,
    strain: () => strain(),
  });
  const loop = new LoopWatch({
    clock,
    onStoodStill: () =>
      calls
        .dropLost()
        .catch((error: unknown) =>
          log.warn(
            { err: error },
            "this process stood still, and cannot find out what it has lost",
          ),
        ),
  });
  const calls: Calls = new Calls({
    ...options,
    processId,
    metrics: liveMetrics,
    times,
    findingOut: () => loop.findingOut,
    isBusy: () => strain().busy !== undefined,
  });
  const strain = (): Strain => strainOf(calls.size, options.loopDelayMs ?? loop.delayMs);
  options.metrics.watchProvider("conversation_model", () => models.answers);
  options.metrics.watchProvider("speech", () => options.speech?.answers);
  const gate = new Gate({
    clock,
    trustedProxies: trustedProxies(options.trustedProxies),
    helloWithinMs,
    maxWaiting: MAX_WAITING,
    maxWaitingPerAddress: MAX_WAITING_PER_ADDRESS,
    maxPerAddress: options.connectionsPerAddress,
    onHello: (socket, hello, origin) =>
      calls.welcome(socket, hello, origin).catch((error: unknown) => {
        log.error({ err: error, session: hello.session_id }, "a visitor could not be welcomed");
        socket.close("fault");
      }),
    onEnd: liveMetrics.socketEnded,
  });

  async function sendHeartbeat(): Promise<void> {
    const { size: sessions, draining } = calls;
    const presence = await renewPresence(db, {
      id: processId,
      sessions,
      // One that is busy has no place to offer.
      capacity: strain().busy === undefined ? capacity : Math.min(sessions, capacity),
      draining,
      modelAnswers: models.answers,
      speechAnswers: options.speech?.answers ?? false,
    });
    calls.share(await isShared(db));
    if (presence === "new") await calls.each((call) => call.assertPresence());
    await calls.dropLost();
  }

  /** Without another process a visitor who is sent away would find nobody. */
  async function othersHaveRoom(): Promise<boolean> {
    const { free } = await liveOffer(db).catch(() => ({ free: 0 }));
    return free > 0;
  }

  const sayIsThere = (): Promise<void> =>
    sendHeartbeat().catch((error: unknown) =>
      log.warn({ err: error }, "this process could not say that it is there"),
    );
  // A database that is slow at this moment is no reason not to start.
  await sayIsThere();
  const heartbeat = setInterval(() => void sayIsThere(), HEARTBEAT_MS);

  return {
    handleUpgrade: (request, socket, head) => gate.handleUpgrade(request, socket, head),
    get load() {
      return { sessions: calls.size, capacity, ...strain() };
    },
    stop: async () => {
      calls.drain();
      await sendHeartbeat().catch(() => {});
      const until = clock.monotonicMs() + drainMs;
      while (calls.size > 0 && clock.monotonicMs() < until) {
        if (await othersHaveRoom()) await calls.moveOne();
        await delay(HAND_OVER_MS);
      }
      clearInterval(heartbeat);
      loop.stop();
      await calls.each((call) => call.leave());
      gate.close();
      await endPresence(db, processId).catch(() => {});
    },
  };
}

/** The rooms of a LiveKit server. What they take is loaded only where there is one. */
export async function openRooms(
  server: { url: string; key: string; secret: string },
  log: Log,
): Promise<Rooms> {
  const { createRooms } = await import("./media/rooms.ts");
  return createRooms(server, log);
}

export interface LiveServer {
  url: string;
  close(): Promise<void>;
}

const NOT_FOUND = JSON.stringify({
  error: {
    code: "not_found",
    message: "There is nothing but a WebSocket here. Open it at /sdk/v1/live.",
  },
});

/** For a process that only talks: nothing is answered but the upgrade to a socket. */
export async function startLiveServer(
  live: Live,
  { host, port, connections }: { host: string; port: number; connections: ConnectionLimit },
): Promise<LiveServer> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      request.resume();
      response
        .writeHead(404, {
          "content-type": "application/json; charset=utf-8",
          "cache-control": "no-store",
        })
        .end(NOT_FOUND);
    },
  );
  limitConnections(server, connections);
  server.on("upgrade", (request, socket, head) => live.handleUpgrade(request, socket, head));
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const open = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host}:${open}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
