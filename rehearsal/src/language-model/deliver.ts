import type { ServerResponse } from "node:http";
import type { Completion } from "./completion.ts";
import type { FaultKind } from "./fault.ts";

const DRIP_EVERY_MS = 20;

/** Sends an answer: whole, or as a failing network and a stuck provider send it. */
export function deliver(
  response: ServerResponse,
  { contentType, body }: Completion,
  requestId: string,
  fault: FaultKind | undefined,
): void {
  const isSpoilt = fault === "stall_midway" || fault === "cut_midway" || fault === "drip";
  const bytes = Buffer.from(body);
  response.writeHead(200, {
    "content-type": contentType,
    "x-request-id": `req_${requestId.slice(0, 24)}`,
    ...(!isSpoilt && { "content-length": bytes.length }),
  });
  if (!isSpoilt) {
    response.end(bytes);
  } else if (fault === "drip") {
    drip(response, bytes);
  } else {
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (fault === "cut_midway") response.destroy();
    });
  }
}

function drip(response: ServerResponse, bytes: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) response.write(bytes.subarray(sent, (sent += 1)));
    else response.end();
  }, DRIP_EVERY_MS);
  response.once("close", () => clearInterval(timer));
}
