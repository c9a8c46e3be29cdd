import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { History, Tally } from "../history.ts";
import type { FaultKind } from "./fault.ts";
import type { Signatures, Verdict } from "./signatures.ts";

/** A webhook that came in. */
export interface ReceivedRequest {
  /** From 1, in order of arrival. */
  number: number;
  /** Unix time of its arrival, with fractions. */
  atMs: number;
  path: string;
  webhookId?: string;
  /** How often this webhook-id has come to this path by now. */
  attempt: number;
  /** Since the attempt before. */
  gapMs?: number;
  fault?: FaultKind;
  /** Absent while the body is not whole, like all of the next four. */
  bytes?: number;
  bodySha256?: string;
  signatures?: Signatures;
  /** Absent also where the body holds no event. */
  sessionId?: string;
  /** The event's own timestamp. */
  evaluatedAt?: string;
  /** What was answered; absent where no status was sent. */
  status?: number;
  /** From its arrival to the end of the answer, or of the connection. Absent until then. */
  tookMs?: number;
}

/** What is kept of the last requests only. */
export interface RequestContent {
  headers: IncomingHttpHeaders;
  body?: Buffer;
}

/** What has come since the start. */
export interface Counts extends Lane {
  /** Those that carried a request at least. */
  connections: number;
  paths: Record<string, Lane>;
  /** By the status sent; `none` where the connection ended without one. */
  statuses: Record<string, number>;
  faults: Record<string, number>;
  signatures: Record<"svc" | "standard", Partial<Record<Verdict, number>>>;
}

interface Lane {
  total: number;
  /** Requests without an answer at this moment, and the most there were at once. */
  open: number;
  mostOpen: number;
}

/** Enough to count every request of a load test. */
const KEPT = 200_000;
const KEPT_WITH_CONTENT = 500;
/** Paths come from outside: without a bound, nonsense would fill the memory. */
const MAX_PATHS = 10_000;

/** Counts all requests, remembers many, and the last ones with all they said. */
export class RequestLog {
  readonly #requests = new History<ReceivedRequest>(KEPT);
  readonly #contents = new History<RequestContent>(KEPT_WITH_CONTENT);
  readonly #attempts = new Map<string, { attempt: number; atMs: number }>();
  readonly #all: Lane = { total: 0, open: 0, mostOpen: 0 };
  readonly #paths = new Map<string, Lane>();
  readonly #statuses = new Tally();
  readonly #faults = new Tally();
  readonly #signatures = { svc: new Tally<Verdict>(), standard: new Tally<Verdict>() };
  #connections = 0;

  begin(
    path: string,
    headers: IncomingHttpHeaders,
    { isReused }: { isReused: boolean },
  ): ReceivedRequest {
    const id = headers["webhook-id"];
    const webhookId = typeof id === "string" ? id : undefined;
    const atMs = nowMs();
    const before = this.#repeat(path, webhookId, atMs);
    const request: ReceivedRequest = {
      number: this.#requests.total + 1,
      atMs,
      path,
      ...(webhookId !== undefined && { webhookId }),
      attempt: (before?.attempt ?? 0) + 1,
      ...(before !== undefined && { gapMs: atMs - before.atMs }),
    };
    this.#requests.add(request);
    this.#contents.add({ headers });
    if (!isReused) this.#connections += 1;
    if (!this.#paths.has(path) && this.#paths.size < MAX_PATHS) {
      this.#paths.set(path, { total: 0, open: 0, mostOpen: 0 });
    }
    for (const lane of this.#lanes(path)) {
      lane.total += 1;
      lane.open += 1;
      lane.mostOpen = Math.max(lane.mostOpen, lane.open);
    }
    return request;
  }

  /** The body is whole. */
  read(
    request: ReceivedRequest,
    body: Buffer,
    known: Pick<ReceivedRequest, "signatures" | "sessionId" | "evaluatedAt">,
  ): void {
    const content = this.#contents.at(request.number);
    if (content !== undefined) content.body = body;
    Object.assign(request, known);
    request.bytes = body.length;
    request.bodySha256 = hash("sha256", body, "hex");
  }

  /** Its answer is out, or nobody waits for one any more. Counts the first time. */
  end(request: ReceivedRequest, status?: number): void {
    if (request.tookMs !== undefined) return;
    request.tookMs = nowMs() - request.atMs;
    if (status !== undefined) request.status = status;
    for (const lane of this.#lanes(request.path)) lane.open -= 1;
    this.#statuses.add(String(request.status ?? "none"));
    this.#faults.add(request.fault);
    this.#signatures.svc.add(request.signatures?.svc);
    this.#signatures.standard.add(request.signatures?.standard);
  }

  /** Oldest first, from the one after this number. */
  after(number: number, limit?: number): readonly Readonly<ReceivedRequest>[] {
    return this.#requests.after(number, limit);
  }

  newest(count: number): ReceivedRequest[] {
    return this.#requests.newest(count);
  }

  content(number: number): RequestContent | undefined {
    return this.#contents.at(number);
  }

  counts(): Counts {
    const { svc, standard } = this.#signatures;
    return {
      ...this.#all,
      connections: this.#connections,
      paths: Object.fromEntries([...this.#paths].map(([path, lane]) => [path, { ...lane }])),
      statuses: this.#statuses.read(),
      faults: this.#faults.read(),
      signatures: { svc: svc.read(), standard: standard.read() },
    };
  }

  #lanes(path: string): Lane[] {
    const lane = this.#paths.get(path);
    return lane === undefined ? [this.#all] : [this.#all, lane];
  }

  /** What is known of the attempt before this one. */
  #repeat(path: string, webhookId: string | undefined, atMs: number) {
    if (webhookId === undefined) return undefined;
    const key = `${webhookId} ${path}`;
    const before = this.#attempts.get(key);
    this.#attempts.set(key, { attempt: (before?.attempt ?? 0) + 1, atMs });
    if (this.#attempts.size > KEPT) this.#attempts.delete(this.#attempts.keys().next().value!);
    return before;
  }
}

/** Unix time with fractions. Moves evenly, whatever is done to the machine's clock. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
