import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
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
export async function deliver(
  response: ServerResponse,
  { contentType, pieces }: Completion,
  { requestId, fault, pace }: Delivery,
): Promise<void> {
  response.writeHead(200, {
    "content-type": contentType,
    "x-request-id": `req_${requestId.slice(0, 24)}`,
  });
  switch (fault) {
    case "drip":
      await trickle(response, Array.from(pieces.join("")), DRIP_EVERY_MS);
      break;
    case "stall_midway":
      await send(response, half(pieces), pace);
      return;
    case "cut_midway":
      await send(response, half(pieces), pace);
      response.destroy();
      return;
    default:
      await send(response, pieces, pace);
  }
  response.end();
}

async function send(
  response: ServerResponse,
  pieces: string[],
  pace: Pace | undefined,
): Promise<void> {
  if (pace === undefined) {
    await new Promise<void>((resolve) => response.write(pieces.join(""), () => resolve()));
    return;
  }
  await delay(pace.firstTokenMs);
  await trickle(response, pieces, 1_000 / pace.tokensPerSec);
}

/** One piece after another, as far as the clock says that they are due. */
async function trickle(response: ServerResponse, pieces: string[], everyMs: number): Promise<void> {
  const startedAt = performance.now();
  for (const [index, piece] of pieces.entries()) {
    const earlyMs = startedAt + index * everyMs - performance.now();
    // A timer that fires late must not make a slow model of a fast one.
    if (earlyMs > 1) await delay(earlyMs);
    if (response.destroyed) return;
    response.write(piece);
  }
}

/** Of an answer in one piece, half of its text. */
function half(pieces: string[]): string[] {
  const [only = ""] = pieces;
  if (pieces.length === 1) return [only.slice(0, only.length / 2)];
  return pieces.slice(0, pieces.length / 2);
}
