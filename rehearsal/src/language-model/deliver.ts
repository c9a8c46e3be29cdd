import type { ServerResponse } from "node:http";
import type { Completion } from "./completion.ts";
import type { FaultKind } from "./fault.ts";

/** How fast a streamed answer comes, as a real model's does. */
export interface Pace {
  firstTokenMs: number;
  tokensPerSec: number;
}

export interface Delivery {
  requestId: string;
  fault: FaultKind | undefined;
  /** At once where there is none. */
  pace: Pace | undefined;
}

const DRIP_EVERY_MS = 20;

/** Sends an answer: whole, at the pace of a model, or as a failing network and a stuck provider send it. */
export function deliver(
  response: ServerResponse,
  { contentType, body }: Completion,
  { requestId, fault, pace }: Delivery,
): void {
  const isHalf = fault === "stall_midway" || fault === "cut_midway";
  const isWhole = !isHalf && fault !== "drip";
  const bytes = Buffer.from(body);
  response.writeHead(200, {
    "content-type": contentType,
    "x-request-id": `req_${requestId.slice(0, 24)}`,
    ...(isWhole && pace === undefined && { "content-length": bytes.length }),
  });
  const sent = isHalf ? bytes.subarray(0, bytes.length / 2) : bytes;
  const end = (): void => {
    if (isWhole || fault === "drip") response.end();
    else if (fault === "cut_midway") response.destroy();
  };
  if (fault === "drip") trickle(response, singleBytes(bytes), DRIP_EVERY_MS, end);
  else if (pace === undefined) response.write(sent, end);
  else {
    const everyMs = 1_000 / pace.tokensPerSec;
    setTimeoutUntilClosed(response, pace.firstTokenMs, () =>
      trickle(response, events(sent), everyMs, end),
    );
  }
}

/** One piece after another, as far as the clock says that they are due. */
function trickle(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  everyMs: number,
  end: () => void,
): void {
  const rest = pieces[Symbol.iterator]();
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(send, Math.max(everyMs, 1));
  response.once("close", () => clearInterval(timer));
  send();

  function send(): void {
    // A timer that fires late must not make a slow model of a fast one.
    while (sent <= (performance.now() - startedAt) / everyMs) {
      const { value, done } = rest.next();
      if (done === true) {
        clearInterval(timer);
        return end();
      }
      response.write(value);
      sent += 1;
    }
  }
}

function setTimeoutUntilClosed(response: ServerResponse, afterMs: number, then: () => void): void {
  const timer = setTimeout(then, afterMs);
  response.once("close", () => clearTimeout(timer));
}

function* singleBytes(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}

function* events(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n\n", at);
    const next = end === -1 ? bytes.length : end + 2;
    yield bytes.subarray(at, next);
    at = next;
  }
}
