import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Client } from "undici";
import { createAddressGuard } from "./address-guard.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Answer, AnswerLimits } from "./answer-reader.ts";
import { dial, vettedAddresses } from "./dial.ts";
import { createDns } from "./dns.ts";
import { EgressFailure, exchangeFailure } from "./failure.ts";
import type { FailureClass } from "./failure.ts";
import { readTarget } from "./target.ts";
import type { Target, TargetRules } from "./target.ts";

/**
 * Requests to addresses that customers chose. They must not reach our own network: every address
 * that a name has is vetted, and what was vetted is what is dialled.
 */
export interface Egress {
  /** Sends the request at most once. Never rejects: what goes wrong is an outcome. */
  post(request: EgressRequest): Promise<EgressOutcome>;
  /** Reads a page, as `post` sends. A redirect is an outcome: the address it names is vetted when it is asked for. */
  get(request: EgressReading): Promise<EgressOutcome>;
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

export interface EgressReading extends Omit<EgressRequest, "body"> {
  limits: AnswerLimits;
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

/** One request on its way. */
interface Attempt {
  request: EgressRequest | EgressReading;
  /** Aborts at the deadline, or when the caller stops it; its reason is an `EgressFailure`. */
  signal: AbortSignal;
  /** The current step, which the failure names if the time runs out. */
  doing: "looking up the name" | "connecting" | "waiting for the status";
}

type ConnectionAnswer = Answer & { certificateUntil: Date | undefined };

export function createEgress(options: EgressOptions = {}): Egress {
  const dns = createDns({ servers: options.dnsServers });
  const isPermitted = createAddressGuard(options);

  async function send(attempt: Attempt): Promise<ConnectionAnswer> {
    const { signal } = attempt;
    const read = readTarget(attempt.request.url, options);
    if ("problem" in read) throw new EgressFailure("bad_address", read.problem.why);
    const { target } = read;
    const addresses = await vettedAddresses(target.host, { dns, isPermitted, signal });
    attempt.doing = "connecting";
    const { trustedCertificates } = options;
    const socket = await dial(target, addresses, { signal, trustedCertificates });
    const certificateUntil = validUntil(socket);
    return { ...(await exchange(socket, target, attempt)), certificateUntil };
  }

  async function attempted(request: Attempt["request"]): Promise<EgressOutcome> {
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
      const { why, message: detail } = exchangeFailure(error, false);
      return { kind: "failed", why, detail, tookMs: Math.round(performance.now() - startedAt) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
  return { post: attempted, get: attempted };
}

/**
 * Sends the request over a connection that carries nothing else. On one that was kept from an
 * earlier request, the receiver may be closing it while we send: whether it has read the request
 * would be unknown, and sending it again would be one request too many.
 */
async function exchange(socket: Socket, target: Target, attempt: Attempt): Promise<Answer> {
  const { signal, request } = attempt;
  const { headers } = request;
  const isReading = "limits" in request;
  attempt.doing = "waiting for the status";
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
    // The attempt's deadline is the only one.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const stop = (): void => void client.destroy(signal.reason as EgressFailure);
  const reader = new AnswerReader(isReading ? request.limits : undefined);
  try {
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    // `reset` asks the receiver to close the connection as well.
    const sent = isReading
      ? { method: "GET" as const }
      : { method: "POST" as const, body: request.body };
    client.dispatch({ ...sent, path: target.path, headers, reset: true }, reader);
    return await reader.answer;
  } catch (error) {
    throw exchangeFailure(error, reader.isSent);
  } finally {
    signal.removeEventListener("abort", stop);
    void client.destroy();
    // undici has not taken it over if the request could not be built.
    socket.destroy();
  }
}

function validUntil(socket: Socket): Date | undefined {
  return socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
}
