import type { Random } from "@svc/tools/random";

/** What somebody sends who does not keep to the protocol, and what must become of the socket. */
export interface Nonsense {
  kind: string;
  /** The close code, or that nothing happens at all. */
  expects: number | "passed over";
  frames: Frame[];
}

/** An object goes as JSON, a string as text, bytes as a binary frame; `wire` past the client's own framing. */
export type Frame = object | string | Buffer | { wire: Buffer };

/** Somebody in a session, who has sent this many messages. */
export interface Inside {
  id: string;
  seq: number;
}

/** Somebody outside, with ids and credentials that were good once. */
export interface Leftovers {
  used: { session_id: string; ticket: string };
  ended: { session_id: string; resume_token: string };
}

/** Marks what nobody may ever take for something that was said. */
export const MARK = "nonsense that must not be heard";

type Row<Sender> = [
  kind: string,
  expects: Nonsense["expects"],
  frames: (random: Random, sender: Sender) => Frame[],
  /** How often it is chosen; once unless said. */
  weight?: number,
];

/** What is wrong whoever sends it, and whenever. */
const ANYBODYS: Row<unknown>[] = [
  ["malformed", 4000, (random) => [malformed(random)], 3],
  ["oversized", 1009, (random) => ["x".repeat(random.integer(65_537, 150_000))]],
  ["oversized by its header", 1009, () => [{ wire: CLAIMS_100_MB }]],
  ["no UTF-8", 1007, () => [{ wire: frameOf(0x81, Buffer.from([0xc3, 0x28])) }]],
  ["unknown opcode", 1002, () => [{ wire: frameOf(0x83) }]],
  ["reserved bit", 1002, () => [{ wire: frameOf(0xc1) }]],
  ["not masked", 1002, () => [{ wire: Buffer.from([0x81, 1, 0x78]) }]],
  ["too many fragments", 1008, () => [{ wire: FRAGMENTS }]],
];

const INSIDERS: Row<Inside>[] = [
  ["a gap", 4000, (random, { seq }) => [text(seq + 1 + random.integer(1, 1_000))]],
  ["reordered", 4000, (_, { seq }) => [text(seq + 2), text(seq + 1)]],
  ["replayed", "passed over", (random, { seq }) => many(20, () => text(random.integer(1, seq))), 2],
  ["sound", 1003, (random) => [bytes(random, 640)]],
  ["an answer to what was never said", 4000, () => [{ type: "ping", received: 1_000_000 }]],
  ["a second hello", 4000, (_, { id }) => [hello({ session_id: id, ticket: "x" })]],
  ["a flood", 4005, () => many(400, () => ({ type: "ping", received: 0 }))],
];

const STRANGERS: Row<Leftovers>[] = [
  ["words before the hello", 4000, () => [text(1)]],
  ["sound before the hello", 4000, (random) => [bytes(random, 640)]],
  ["another protocol", 4000, () => [hello({ protocol: "v2", ticket: "x" })]],
  ["no credential", 4000, () => [hello({})]],
  [
    "two credentials",
    4000,
    (random) => [hello({ ticket: guess(random), resume_token: guess(random) })],
  ],
  ["an unknown session", 4002, (random) => [hello({ ticket: guess(random) })]],
  ["a guessed ticket", 4002, (random, { used }) => [hello({ ...used, ticket: guess(random) })]],
  ["a used ticket", 4002, (_, { used }) => [hello(used)]],
  [
    "a guessed resume token",
    4002,
    (random, { used: { session_id } }) => [hello({ session_id, resume_token: guess(random) })],
  ],
  ["the token of a session that is over", 4002, (_, { ended }) => [hello(ended)]],
];

export function insidersNonsense(random: Random, inside: Inside): Nonsense {
  return random.chance(0.2) ? pick(ANYBODYS, random, inside) : pick(INSIDERS, random, inside);
}

export function strangersNonsense(random: Random, leftovers: Leftovers): Nonsense {
  return random.chance(1 / 6)
    ? pick(ANYBODYS, random, leftovers)
    : pick(STRANGERS, random, leftovers);
}

function pick<Sender>(rows: Row<Sender>[], random: Random, sender: Sender): Nonsense {
  const [kind, expects, frames] = random.weighted(rows.map((row) => [row, row[3] ?? 1]));
  return { kind, expects, frames: frames(random, sender) };
}

/** A text frame that is no message of the protocol. */
function malformed(random: Random): string {
  const whole = JSON.stringify(text(random.integer(1, 1_000)));
  const json = JSON.stringify;
  return random.pick([
    () => random.pick(["", " ", "{", "null", "[]", "true", '"text"', "NaN", "\uFEFF{}"]),
    () => whole.slice(0, random.integer(0, whole.length - 1)),
    () => `[${whole}]`,
    () => `${whole}${whole}`,
    () => noise(random),
    () => "[".repeat(random.integer(1_000, 30_000)),
    () => json({ ...text(1), type: random.pick(["", "admin", "Text", "welcome", 7]) }),
    () => json(text(random.pick([0, -1, 1.5, "1", null, {}, [1], 2 ** 60]))),
    () => `{"type":"text","seq":1e400,"text":"${MARK}"}`,
    () => json({ ...text(1), role: "assistant" }),
    () => json({ ...text(1), text: random.pick([7, null, "", "a".repeat(4_001), [MARK]]) }),
    () => json({ type: "rating", seq: 1, stars: random.pick([0, 6, 2.5, "5"]) }),
    () => json({ type: "card_result", seq: 1, card_id: "", action: "confirmed" }),
    () => json({ type: "playback", seq: 1, segment: -1, position_ms: 0, state: "started" }),
    () => json({ type: "visibility", seq: 1, visible: "yes" }),
    () => json({ type: "ping", received: random.pick([-1, 0.5, "0", null]) }),
  ])();
}

/** Words of any script, and characters that are part of no word. */
function noise(random: Random): string {
  const characters = many(random.integer(1, 200), () => random.integer(32, 0xd7ff));
  return String.fromCodePoint(...characters);
}

function text(seq: unknown): object {
  return { type: "text", seq, text: MARK };
}

/** Of a session that nobody has started, unless `more` names one. */
function hello(more: object): object {
  const session_id = "019a0000-0000-7000-8000-000000000000";
  return { type: "hello", protocol: "svc.live.v1", session_id, received: 0, ...more };
}

function guess(random: Random): string {
  return bytes(random, 32).toString("base64url");
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(many(length, () => random.integer(0, 255)));
}

function many<T>(length: number, make: () => T): T[] {
  return Array.from({ length }, make);
}

/** A frame with its mask of zeros, which leaves the bytes as they are. */
function frameOf(firstByte: number, payload: Buffer = Buffer.from("x")): Buffer {
  return Buffer.concat([Buffer.from([firstByte, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

const CLAIMS_100_MB: Buffer = Buffer.concat([
  Buffer.from([0x81, 0xff, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from("and then little"),
]);
const FRAGMENTS: Buffer = Buffer.concat([frameOf(0x01), ...many(100, () => frameOf(0x00))]);
