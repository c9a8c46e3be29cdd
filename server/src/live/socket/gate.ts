import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { TOO_MANY_CONNECTIONS } from "#platform";
import type { Clock } from "#platform";
import { visitorAddress } from "#sessions";
import type { LiveHello } from "@svc/contract/types";
import ipaddr from "ipaddr.js";
import { WebSocketServer } from "ws";
import { FrameRateLimit } from "./frame-rate-limit.ts";
import { LiveSocket } from "./live-socket.ts";
import type { SocketEnd } from "./live-socket.ts";

const LIVE_PATH = "/sdk/v1/live";
const PROTOCOL = "svc.live.v1";
const MAX_FRAME_BYTES = 65_536;
/** While a hello is looked up; the database's own limits are shorter. */
const CLAIM_WITHIN_MS = 20_000;

export interface GateOptions {
  clock: Clock;
  trustedProxies: TrustedProxies;
  helloWithinMs: number;
  /** Sockets that have not been welcomed yet: a client that opens thousands and says nothing is refused. */
  maxWaiting: number;
  maxWaitingPerAddress: number;
  /** Sockets at once, welcomed ones included; 0 for no limit. Behind a proxy nothing else counts connections by visitor. */
  maxPerAddress: number;
  /** Takes the socket over with `expect`, or closes it. */
  onHello(socket: LiveSocket, hello: LiveHello, origin: string | undefined): Promise<void>;
  onEnd(end: SocketEnd): void;
}

/** Accepts WebSockets: it answers the upgrade, waits for the hello, and hands both on. */
export class Gate {
  readonly #options: GateOptions;
  /** Each with its address. */
  readonly #sockets = new Map<LiveSocket, string>();
  readonly #waiting = new Map<LiveSocket, string>();
  /** The last hello of each session that is being looked up. */
  readonly #claims = new Map<string, Promise<void>>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: 64,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  constructor(options: GateOptions) {
    this.#options = options;
  }

  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on("error", () => stream.destroy());
    if (request.url?.split("?", 1)[0] !== LIVE_PATH) return refuse(stream, "404 Not Found");
    // Without it a browser would close the socket by itself, and another protocol's client would send us its frames.
    if (request.method === "GET" && !offers(request, PROTOCOL))
      return refuse(stream, "400 Bad Request");
    const address = clientAddress(request, this.#options.trustedProxies);
    const { maxPerAddress, maxWaiting, maxWaitingPerAddress } = this.#options;
    if (
      (maxPerAddress > 0 && countOf(this.#sockets, address) >= maxPerAddress) ||
      countOf(this.#waiting, address) >= maxWaitingPerAddress
    )
      return close(stream, TOO_MANY_CONNECTIONS);
    if (this.#waiting.size >= maxWaiting) return refuse(stream, "503 Service Unavailable");
    this.#server.handleUpgrade(request, stream, head, (ws) => {
      const socket = new LiveSocket(ws, new FrameRateLimit(this.#options.clock), (end) => {
        this.#sockets.delete(socket);
        this.#waiting.delete(socket);
        this.#options.onEnd(end);
      });
      this.#sockets.set(socket, address);
      this.#waiting.set(socket, address);
      this.#awaitHello(socket, request.headers.origin);
    });
  }

  /** Sends everybody away. */
  close(): void {
    for (const socket of this.#sockets.keys()) socket.close("goingAway");
  }

  #awaitHello(socket: LiveSocket, origin: string | undefined): void {
    const nonsense = { audio: () => socket.close("badFrame"), closed: () => {} };
    socket.expect(
      {
        ...nonsense,
        message: (hello) => {
          if (hello.type !== "hello" || !namesOneCredential(hello)) return socket.close("badFrame");
          // The browser waits for the welcome before it says more.
          socket.expect(
            { ...nonsense, message: () => socket.close("badFrame") },
            CLAIM_WITHIN_MS,
            "fault",
          );
          void this.#claim(socket, hello, origin).finally(() => this.#waiting.delete(socket));
        },
      },
      this.#options.helloWithinMs,
      "helloLate",
    );
  }

  /** Handles the hellos of a session one after the other: a delayed one would otherwise take the session from a later one. */
  async #claim(socket: LiveSocket, hello: LiveHello, origin: string | undefined): Promise<void> {
    const { session_id: id } = hello;
    const claim = (this.#claims.get(id) ?? Promise.resolve()).then(async () => {
      // The browser has given up meanwhile: another token would void the one that it gets next.
      if (this.#waiting.has(socket)) await this.#options.onHello(socket, hello, origin);
    });
    this.#claims.set(id, claim);
    await claim;
    if (this.#claims.get(id) === claim) this.#claims.delete(id);
  }
}

function offers({ headers }: IncomingMessage, protocol: string): boolean {
  const offered = headers["sec-websocket-protocol"] ?? "";
  return offered.split(",").some((one) => one.trim() === protocol);
}

function namesOneCredential({ ticket, resume_token: token }: LiveHello): boolean {
  return (ticket === undefined) !== (token === undefined);
}

function countOf(sockets: ReadonlyMap<LiveSocket, string>, address: string): number {
  let same = 0;
  for (const other of sockets.values()) if (other === address) same += 1;
  return same;
}

function refuse(stream: Duplex, status: string): void {
  close(stream, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function close(stream: Duplex, answer: string): void {
  stream.once("finish", () => stream.destroy());
  stream.end(answer);
}

/** The proxies whose X-Forwarded-For is believed. */
export type TrustedProxies = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** From addresses and ranges, as in the settings. */
export function trustedProxies(list: readonly string[]): TrustedProxies {
  return list.map((one) => {
    if (one.includes("/")) return ipaddr.parseCIDR(one);
    const address = ipaddr.process(one);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/**
 * The address that limits count: the last one that no trusted proxy stands behind. A header from
 * anybody else says nothing.
 */
export function clientAddress(
  request: Pick<IncomingMessage, "socket" | "headers">,
  trusted: TrustedProxies,
): string {
  const header = request.headers["x-forwarded-for"];
  const forwarded = [header ?? []].flat().join(",").split(",");
  let address = parse(request.socket.remoteAddress ?? "");
  while (address !== undefined && isTrusted(address, trusted)) {
    const next = parse(forwarded.pop()?.trim() ?? "");
    if (next === undefined) break;
    address = next;
  }
  return visitorAddress(address?.toString() ?? "");
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: TrustedProxies): boolean {
  return trusted.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}
