import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "undici";
import { createAddressGuard } from "./address-guard.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Answer } from "./answer-reader.ts";
import { dial, vettedAddresses } from "./dial.ts";
import { createDns } from "./dns.ts";
import { EgressFailure, exchangeFailure } from "./failure.ts";
import type { FailureClass } from "./failure.ts";
import { IdleConnections } from "./idle-connections.ts";
import type { IdleConnection } from "./idle-connections.ts";
import { readTarget } from "./target.ts";
import type { Target, TargetRules } from "./target.ts";

/**
 * Requests to addresses that customers chose. They must not reach our own network: every address
 * that a name has is vetted, and what was vetted is what is dialled.
 */
export interface Egress {
  /** Never rejects: what goes wrong is an outcome. */
  post(request: EgressRequest): Promise<EgressOutcome>;
  /** Closes what is idle; requests under way go on to their end. */
  close(): void;
}

export interface EgressOptions extends TargetRules {
  /** Name servers in place of the machine's own. */
  dnsServers?: readonly string[] | undefined;
  /** PEM, in place of the certificate authorities that Node trusts. */
  trustedCertificates?: string | undefined;
}

export interface EgressRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** For everything up to the status line: DNS, TCP, TLS, sending, waiting. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export type EgressOutcome =
  | ({
      kind: "answered";
      tookMs: number;
      /** Until when the receiver's certificate is valid, where it has one. */
      certificateUntil: Date | undefined;
    } & Omit<Answer, "answeredAt">)
  | { kind: "failed"; why: FailureClass; detail: string; tookMs: number };

export const DEADLINE_MS = 10_000;
const MAX_IDLE_CONNECTIONS = 256;

/** One request on its way. */
interface Attempt {
  request: EgressRequest;
  /** Aborts at the deadline, or when the caller stops it; its reason is an `EgressFailure`. */
  signal: AbortSignal;
  /** The current step, which the failure names if the time runs out. */
  doing: "looking up the name" | "connecting" | "waiting for the status";
}

interface Connection extends IdleConnection {
  client: Client;
  certificateUntil: Date | undefined;
}

type ConnectionAnswer = Answer & Pick<Connection, "certificateUntil">;

export function createEgress(options: EgressOptions = {}): Egress {
  const dns = createDns({ servers: options.dnsServers });
  const isPermitted = createAddressGuard(options);
  const idle = new IdleConnections<Connection>(MAX_IDLE_CONNECTIONS);

  async function send(attempt: Attempt): Promise<ConnectionAnswer> {
    const { signal } = attempt;
    const read = readTarget(attempt.request.url, options);
    if ("problem" in read) throw new EgressFailure("bad_address", read.problem.why);
    const { target } = read;
    const addresses = await vettedAddresses(target.host, { dns, isPermitted, signal });

    const waiting = idle.take(addresses.map((address) => keyOf(target, address)));
    if (waiting !== undefined) {
      try {
        return await exchange(waiting, target, attempt);
      } catch (error) {
        // Closed as we sent, which says nothing of how the receiver takes a request.
        if (exchangeFailure(error).why !== "connection_lost") throw error;
      }
    }
    attempt.doing = "connecting";
    const { trustedCertificates } = options;
    const { socket, address } = await dial(target, addresses, { signal, trustedCertificates });
    return exchange(openConnection(target, address, socket), target, attempt);
  }

  function openConnection(target: Target, address: string, socket: Socket): Connection {
    const unused = [socket];
    const client = new Client(target.origin, {
      // undici asks again once the socket is gone, but another one would have to be vetted first.
      connect(_options, done) {
        const ready = unused.pop();
        const gone = new EgressFailure("connection_lost", "closed before anything was sent");
        // undici does not notice a call that comes at once.
        queueMicrotask(() => (ready === undefined ? done(gone, null) : done(null, ready)));
      },
      maxHeaderSize: 16_384,
      keepAliveMaxTimeout: 30_000,
      // The attempt's deadline is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const key = keyOf(target, address);
    const certificateUntil = validUntil(socket);
    const close = (): void => void client.destroy();
    const connection = { key, socket, client, certificateUntil, close };
    socket.once("close", () => idle.forget(connection));
    return connection;
  }

  async function exchange(
    connection: Connection,
    { path }: Target,
    attempt: Attempt,
  ): Promise<ConnectionAnswer> {
    const { signal, request } = attempt;
    const { headers, body } = request;
    const stop = (): void => void connection.client.destroy(signal.reason as EgressFailure);
    attempt.doing = "waiting for the status";
    try {
      signal.throwIfAborted();
      signal.addEventListener("abort", stop, { once: true });
      const reader = new AnswerReader();
      connection.client.dispatch({ method: "POST", path, headers, body }, reader);
      const answer = await reader.answer;
      if (answer.bodyEnd === "whole") idle.keep(connection);
      else connection.close();
      return { ...answer, certificateUntil: connection.certificateUntil };
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  return {
    async post(request) {
      const { deadlineMs = DEADLINE_MS, signal } = request;
      const startedAt = performance.now();
      const ending = new AbortController();
      const attempt: Attempt = { request, signal: ending.signal, doing: "looking up the name" };
      const end = (why: FailureClass): void =>
        ending.abort(new EgressFailure(why, `while ${attempt.doing}`));
      const timer = setTimeout(end, deadlineMs, "timed_out");
      const stop = (): void => end("aborted");
      if (signal?.aborted === true) stop();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const { answeredAt, ...answer } = await send(attempt);
        return { kind: "answered", ...answer, tookMs: Math.round(answeredAt - startedAt) };
      } catch (error) {
        const { why, message: detail } = exchangeFailure(error);
        return { kind: "failed", why, detail, tookMs: Math.round(performance.now() - startedAt) };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      }
    },
    close: () => idle.close(),
  };
}

function validUntil(socket: Socket): Date | undefined {
  return socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
}

/** A connection serves only the name it was made for, and only while that name leads to its address. */
function keyOf(target: Target, address: string): string {
  return `${target.origin} at ${address}`;
}
