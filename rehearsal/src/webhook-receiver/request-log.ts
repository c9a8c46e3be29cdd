import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Counters } from "./counters.ts";
import { nowMs } from "./now-ms.ts";
import type { ReceivedRequest, RequestContent } from "./received-request.ts";

/** Enough to count every request of a load test. */
const KEPT = 200_000;
const KEPT_WITH_CONTENT = 500;

/** Counts all requests, remembers many, and the last ones with all they said. */
export class RequestLog {
  readonly counters: Counters = new Counters();
  #requests: ReceivedRequest[] = [];
  #contents = new Map<number, RequestContent>();
  #last = new Map<string, { attempt: number; atMs: number }>();
  #total = 0;

  begin(
    path: string,
    headers: IncomingHttpHeaders,
    connection: { isReused: boolean },
  ): ReceivedRequest {
    const id = headers["webhook-id"];
    const webhookId = typeof id === "string" ? id : undefined;
    const atMs = nowMs();
    const before = this.#repeat(path, webhookId, atMs);
    const request: ReceivedRequest = {
      number: ++this.#total,
      atMs,
      path,
      ...(webhookId !== undefined && { webhookId }),
      attempt: (before?.attempt ?? 0) + 1,
      ...(before !== undefined && { gapMs: atMs - before.atMs }),
    };
    this.#requests.push(request);
    if (this.#requests.length >= 2 * KEPT) this.#requests = this.#requests.slice(-KEPT);
    this.#contents.set(request.number, { headers });
    this.#contents.delete(request.number - KEPT_WITH_CONTENT);
    this.counters.begin(path, connection);
    return request;
  }

  /** The body is whole. */
  read(
    request: ReceivedRequest,
    body: Buffer,
    known: Pick<ReceivedRequest, "signatures" | "sessionId" | "evaluatedAt">,
  ): void {
    const content = this.#contents.get(request.number);
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
    this.counters.end(request);
  }

  /** Oldest first, from the one after this number. */
  after(number: number, limit: number = KEPT): readonly Readonly<ReceivedRequest>[] {
    const first = this.#requests[0]?.number ?? 1;
    const from = Math.max(0, number + 1 - first);
    return this.#requests.slice(from, from + limit);
  }

  content(number: number): RequestContent | undefined {
    return this.#contents.get(number);
  }

  #repeat(path: string, webhookId: string | undefined, atMs: number) {
    if (webhookId === undefined) return undefined;
    const key = `${webhookId} ${path}`;
    const before = this.#last.get(key);
    this.#last.set(key, { attempt: (before?.attempt ?? 0) + 1, atMs });
    if (this.#last.size > KEPT) this.#last.delete(this.#last.keys().next().value!);
    return before;
  }
}
