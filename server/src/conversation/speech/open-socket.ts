import { WebSocket } from "ws";
import { VendorAway } from "./vendor.ts";

/** Where a vendor takes WebSockets. */
export interface SocketPlace {
  provider: string;
  url: string;
  headers: Record<string, string>;
}

const CONNECT_MS = 3_000;
/** A second of sound in base64 is 64 KB. */
const MAX_MESSAGE_BYTES = 4_000_000;

/** Connects and shows the key. Throws `VendorAway` where that fails. */
export async function openSocket({ provider, url, headers }: SocketPlace): Promise<WebSocket> {
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("unexpected-response", (request, { statusCode = 0 }) => {
      request.destroy();
      reject(VendorAway.answered(provider, statusCode));
    });
    // Stays, so that a connection that dies while nobody uses it ends no process.
    socket.on("error", (cause) => reject(VendorAway.unreachable(provider, cause)));
  });
  return socket;
}
