import { createSocket } from "node:dgram";
import type { Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import ipaddr from "ipaddr.js";

/** A name server that answers as it is told, by UDP and by TCP. */
export interface ScriptedDns {
  /** As resolvers take it: `127.0.0.1:40123`. */
  server: string;
  questions: DnsQuestion[];
  close(): void;
}

export interface DnsQuestion {
  /** In lower case. */
  name: string;
  type: DnsRecordType;
  by: "udp" | "tcp";
}

/** Records of the type that was asked for, as zone files write them, or a way to fail. */
export type DnsAnswer = string[] | DnsFailure | "silence" | "garbage";

export async function startScriptedDns(
  answer: (question: DnsQuestion) => DnsAnswer | Promise<DnsAnswer>,
  { host = "127.0.0.1", port = 0 }: { host?: string; port?: number } = {},
): Promise<ScriptedDns> {
  const questions: DnsQuestion[] = [];
  async function reply(message: Buffer, by: DnsQuestion["by"]): Promise<Buffer | undefined> {
    const query = readQuery(message);
    const { name, type } = query;
    if (type === undefined) return encodeReply(query, []);
    questions.push({ name, type, by });
    const said = await answer({ name, type, by });
    if (said === "silence") return undefined;
    return said === "garbage" ? Buffer.from("no DNS") : encodeReply(query, said);
  }

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    readFrames(socket, async (message) => {
      const said = await reply(message, "tcp");
      if (said !== undefined && socket.writable) socket.write(frame(said));
    });
  });
  const udp = await listenOnBoth(tcp, host, port);
  let isOpen = true;
  udp.on("message", async (message, from) => {
    const said = await reply(message, "udp");
    if (said !== undefined && isOpen) udp.send(said, from.port, from.address);
  });

  return {
    server: `${host}:${udp.address().port}`,
    questions,
    close: () => {
      isOpen = false;
      udp.close();
      tcp.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A port that is free for TCP may be some resolver's for UDP: then the next one is tried. */
async function listenOnBoth(tcp: Server, host: string, port: number): Promise<UdpSocket> {
  for (;;) {
    tcp.listen(port, host);
    await once(tcp, "listening");
    const udp = createSocket("udp4");
    udp.bind((tcp.address() as AddressInfo).port, host);
    try {
      await once(udp, "listening");
      return udp;
    } catch (error) {
      if (port !== 0) throw error;
      udp.close();
      tcp.close();
      await once(tcp, "close");
    }
  }
}

/** By TCP, the length of each message stands before it. */
function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function readFrames(socket: Socket, take: (message: Buffer) => unknown): void {
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      take(waiting.subarray(2, end));
      waiting = waiting.subarray(end);
    }
  });
}

export type DnsRecordType = "A" | "AAAA" | "MX";

const TYPE_CODES: Record<DnsRecordType, number> = { A: 1, AAAA: 28, MX: 15 };
const RESPONSE_CODES = { servfail: 2, nxdomain: 3, refused: 5 };
/** An answer, recursion as desired and available. */
const ANSWER = 0x8180;
const TRUNCATED = 0x0200;

interface ReadQuery {
  /** In lower case. */
  name: string;
  /** Undefined for one that this side of the wire does not speak. */
  type: DnsRecordType | undefined;
  /** Both are repeated in the answer. */
  id: Buffer;
  question: Buffer;
}

function readQuery(query: Buffer): ReadQuery {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = query.readUInt16BE(at + 1);
  const type = (Object.keys(TYPE_CODES) as DnsRecordType[]).find((one) => TYPE_CODES[one] === code);
  return {
    name: labels.join(".").toLowerCase(),
    type,
    id: query.subarray(0, 2),
    question: query.subarray(12, at + 5),
  };
}

export type DnsFailure = keyof typeof RESPONSE_CODES | "truncated" | "malformed";

/** Records as zone files write them: `192.0.2.1`, `2001:db8::1`, `10 mx.example.com`, and `0 .` for a null MX. */
function encodeReply(query: ReadQuery, said: string[] | DnsFailure): Buffer {
  if (said === "malformed") return encode(query, ANSWER, [Buffer.from([0xc0])]);
  if (said === "truncated") return encode(query, ANSWER | TRUNCATED, []);
  if (typeof said === "string") return encode(query, ANSWER | RESPONSE_CODES[said], []);
  const { type = "A" } = query;
  return encode(
    query,
    ANSWER,
    said.map((text) => encodeRecord(type, text)),
  );
}

function encode({ id, question }: ReadQuery, flags: number, records: Buffer[]): Buffer {
  const counts = Buffer.alloc(10);
  counts.writeUInt16BE(flags, 0);
  counts.writeUInt16BE(1, 2);
  counts.writeUInt16BE(records.length, 4);
  return Buffer.concat([id, counts, question, ...records]);
}

/** Points back at the question's name, and may be kept for no time at all. */
function encodeRecord(type: DnsRecordType, text: string): Buffer {
  const data = type === "MX" ? encodeExchange(text) : Buffer.from(ipaddr.parse(text).toByteArray());
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_CODES[type], 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function encodeExchange(text: string): Buffer {
  const [preference, exchange = ""] = text.split(" ");
  const labels = exchange.split(".").filter((label) => label !== "");
  const parts = labels.map((label) => Buffer.from([label.length, ...Buffer.from(label, "latin1")]));
  const head = Buffer.alloc(2);
  head.writeUInt16BE(Number(preference), 0);
  return Buffer.concat([head, ...parts, Buffer.from([0])]);
}
