import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/** A name server that answers as it is told. */
export interface ScriptedDns {
  /** As resolvers take it: `127.0.0.1:40123`. */
  server: string;
  questions: DnsQuestion[];
  close(): void;
}

export interface DnsQuestion {
  /** In lower case. */
  name: string;
  type: "A" | "AAAA";
}

/** Addresses of the type that was asked for, or a way to fail. */
export type DnsAnswer = string[] | "nxdomain" | "servfail" | "refused" | "silence" | "garbage";

const TYPES = new Map<number, DnsQuestion["type"]>([
  [1, "A"],
  [28, "AAAA"],
]);
const RESPONSE_CODES = { servfail: 2, nxdomain: 3, refused: 5 };

export async function startScriptedDns(
  answer: (question: DnsQuestion) => DnsAnswer,
  { host = "127.0.0.1", port = 0 }: { host?: string; port?: number } = {},
): Promise<ScriptedDns> {
  const questions: DnsQuestion[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, typeCode, end } = readQuestion(query);
    const type = TYPES.get(typeCode);
    if (type !== undefined) questions.push({ name, type });
    const said = type === undefined ? [] : answer({ name, type });
    if (said === "silence") return;
    const reply =
      said === "garbage"
        ? Buffer.from("no DNS")
        : encodeReply(query, end, typeof said === "string" ? RESPONSE_CODES[said] : said);
    socket.send(reply, from.port, from.address);
  });
  socket.bind(port, host);
  await once(socket, "listening");
  return {
    server: `${host}:${socket.address().port}`,
    questions,
    close: () => socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; typeCode: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join(".").toLowerCase();
  return { name, typeCode: query.readUInt16BE(at + 1), end: at + 5 };
}

function encodeReply(query: Buffer, questionEnd: number, said: number | string[]): Buffer {
  const [code, addresses] = typeof said === "number" ? [said, []] : [0, said];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([
    header,
    query.subarray(12, questionEnd),
    ...addresses.map((address) => encodeRecord(ipaddr.parse(address).toByteArray())),
  ]);
}

/** Points back at the question's name, and may be kept for no time at all. */
function encodeRecord(address: number[]): Buffer {
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(address.length === 4 ? 1 : 28, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(address.length, 10);
  return Buffer.concat([record, Buffer.from(address)]);
}
