import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { messageSocket } from "./message-socket.ts";

/** A message as PostgreSQL frames it: a letter, the length of the rest with itself, the rest. */
function message(bodyBytes: number, filler: number): Buffer {
  const bytes = Buffer.alloc(5 + bodyBytes, filler);
  bytes.write("d", 0, "latin1");
  bytes.writeUInt32BE(4 + bodyBytes, 1);
  return bytes;
}

/** What a reader is handed of `sent`, which comes over a real connection in pieces that end at `cuts`. Copied at once: it is overwritten. */
async function handedOver(sent: Buffer, cuts: readonly number[]): Promise<Buffer[]> {
  const server = createServer(async (peer) => {
    let from = 0;
    for (const to of [...cuts, sent.length]) {
      peer.write(sent.subarray(from, to));
      from = to;
      await nextTurn();
    }
    peer.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const handed: Buffer[] = [];
  const socket = messageSocket();
  socket.on("data", (bytes: Buffer) => handed.push(Buffer.from(bytes)));
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "end");
  server.close();
  return handed;
}

function endsWithAMessage(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) at += 1 + bytes.readUInt32BE(at + 1);
  return at === bytes.length;
}

const SIZE = fc.oneof(fc.nat(20), fc.nat(9_000), fc.nat(300_000));

it("hands on all messages, in order and whole, however the network cuts them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(SIZE, { minLength: 1, maxLength: 12 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
      async (sizes, shares) => {
        const sent = Buffer.concat(sizes.map((size, index) => message(size, index)));
        const cuts = shares.map((share) => Math.floor(share * sent.length)).toSorted(byNumber);
        const handed = await handedOver(sent, cuts);
        expect(handed.every(endsWithAMessage)).toBe(true);
        expect(Buffer.concat(handed).equals(sent)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

it("reads small messages into the same memory again, also after a large one", async () => {
  const memories = new Set<ArrayBufferLike>();
  const socket = messageSocket();
  const server = createServer(async (peer) => {
    for (const size of [10, 400_000, 10, 20, 30, 40]) {
      await new Promise<void>((sent) => peer.write(message(size, 1), () => sent()));
      await once(peer, "data");
    }
    peer.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  socket.on("data", (bytes: Buffer) => {
    memories.add(bytes.buffer);
    socket.write("more");
  });
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "end");
  server.close();
  // The first, the one for the large message, and the one after it.
  expect(memories.size).toBe(3);
});

function byNumber(a: number, b: number): number {
  return a - b;
}
