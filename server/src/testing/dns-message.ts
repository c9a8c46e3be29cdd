import ipaddr from "ipaddr.js";

export type DnsRecordType = "A" | "AAAA" | "MX";

const TYPE_CODES: Record<DnsRecordType, number> = { A: 1, AAAA: 28, MX: 15 };
const RESPONSE_CODES = { servfail: 2, nxdomain: 3, refused: 5 };
/** An answer, recursion as desired and available. */
const ANSWER = 0x8180;
const TRUNCATED = 0x0200;

export interface ReadQuery {
  /** In lower case. */
  name: string;
  /** Undefined for one that this side of the wire does not speak. */
  type: DnsRecordType | undefined;
  /** Both are repeated in the answer. */
  id: Buffer;
  question: Buffer;
}

export function readQuery(query: Buffer): ReadQuery {
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
export function encodeReply(query: ReadQuery, said: string[] | DnsFailure): Buffer {
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
