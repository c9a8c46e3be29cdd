import { Socket } from "node:net";

/** What has come in meanwhile is read together, up to this. */
const USUAL_BYTES = 131_072;
/** Of every message: a letter, and the length of all but the letter. */
const HEAD_BYTES = 5;

/**
 * A plain connection to PostgreSQL for much data, which reuses one read buffer. A socket allocates
 * 64 KB for every read; a busy export would allocate some hundred megabytes a second outside of the
 * heap, for which V8 marks the whole heap five times a second: a quarter of all CPU. A TLS socket
 * allocates only what arrived, so it needs no such buffer.
 *
 * The socket emits whole messages only: `pg` keeps the start of a message in the buffer until the
 * rest arrives, and the next read would overwrite it.
 */
export function messageSocket(): Socket {
  let buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);
  let kept = 0;
  const socket: Socket = new Socket({
    onread: {
      buffer: () => buffer.subarray(kept),
      callback: (count) => {
        const end = kept + count;
        const whole = endOfWholeMessages(buffer, end);
        if (whole > 0) socket.emit("data", buffer.subarray(0, whole));
        const room = roomFor(buffer, whole, end);
        kept = buffer.copy(room, 0, whole, end);
        buffer = room;
        return true;
      },
    },
  });
  return socket;
}

type Bytes = Buffer<ArrayBuffer>;

function endOfWholeMessages(buffer: Buffer, end: number): number {
  let at = 0;
  while (end - at >= HEAD_BYTES) {
    const next = at + messageBytes(buffer, at);
    if (next > end) break;
    at = next;
  }
  return at;
}

/** A larger buffer for a message that does not fit, and no longer than for that one. */
function roomFor(buffer: Bytes, at: number, end: number): Bytes {
  const needed = end - at < HEAD_BYTES ? 0 : messageBytes(buffer, at);
  const bytes = Math.max(USUAL_BYTES, needed);
  return bytes === buffer.length ? buffer : Buffer.allocUnsafeSlow(bytes);
}

function messageBytes(buffer: Buffer, at: number): number {
  return 1 + buffer.readUInt32BE(at + 1);
}
