import { WebSocket } from "ws";
import { VendorAway } from "./vendor.ts";

/** The WebSocket endpoint of a vendor. */
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
    // The listener stays: without it, an idle connection that fails would end the process.
    socket.on("error", (cause) => reject(VendorAway.unreachable(provider, cause)));
  });
  return socket;
}

/** Connections to a vendor. A sentence has a connection to itself and gives it back afterwards. */
export class SocketPool {
  readonly #place: SocketPlace;
  readonly #idle = new Set<WebSocket>();
  #isClosed = false;

  constructor(place: SocketPlace) {
    this.#place = place;
  }

  /** An idle connection, if there is one. */
  takeIdle(): WebSocket | undefined {
    const [socket] = this.#idle;
    if (socket !== undefined) this.#idle.delete(socket);
    return socket;
  }

  async connect(): Promise<WebSocket> {
    const socket = await openSocket(this.#place);
    socket.once("close", () => this.#idle.delete(socket));
    return socket;
  }

  give(socket: WebSocket): void {
    if (this.#isClosed) socket.close();
    else if (socket.readyState === socket.OPEN) this.#idle.add(socket);
  }

  /** Closes idle connections. Sentences that are being said go on. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#idle) socket.close();
    this.#idle.clear();
  }
}
