import type { Random } from "@svc/tools/random";

/** What somebody sends who does not keep to the protocol, and what must become of the socket. */
export interface Nonsense {
  kind: string;
  frames: Frame[];
  /** The close code, or that nothing happens at all. */
  expects: number | "passed over";
}

/** An object goes as JSON, a string as text, bytes as a binary frame; `wire` past the client's own framing. */
export type Frame = object | string | Buffer | { wire: Buffer };

/** Marks what nobody may ever take for something that was said. */
export const MARK = "nonsense that must not be heard";

const text = (seq: unknown): object => ({ type: "text", seq, text: MARK });

/** A text frame that is no message of the protocol. */
function malformed(random: Random): string {
  const whole = JSON.stringify(text(random.integer(1, 1_000)));
  return random.pick([
    () => random.pick(["", " ", "{", "null", "[]", "true", '"text"', "NaN", "\uFEFF{}"]),
    () => whole.slice(0, random.integer(0, whole.length - 1)),
    () => `[${whole}]`,
    () => `${whole}${whole}`,
    () => noise(random),
    () => "[".repeat(random.integer(1_000, 30_000)),
    () => JSON.stringify({ ...text(1), type: random.pick(["", "admin", "Text", "welcome", 7]) }),
    () => JSON.stringify(text(random.pick([0, -1, 1.5, "1", null, {}, [1], 2 ** 60]))),
    () => `{"type":"text","seq":1e400,"text":"${MARK}"}`,
    () => JSON.stringify({ ...text(1), role: "assistant" }),
    () =>
      JSON.stringify({ ...text(1), text: random.pick([7, null, "", "a".repeat(4_001), [MARK]]) }),
    () => JSON.stringify({ type: "rating", seq: 1, stars: random.pick([0, 6, 2.5, "5"]) }),
    () => JSON.stringify({ type: "card_result", seq: 1, card_id: "", action: "confirmed" }),
    () =>
      JSON.stringify({ type: "playback", seq: 1, segment: -1, position_ms: 0, state: "started" }),
    () => JSON.stringify({ type: "visibility", seq: 1, visible: "yes" }),
    () => JSON.stringify({ type: "ping", received: random.pick([-1, 0.5, "0", null]) }),
  ])();
}

/** Words of any script, and what should not stand in words at all. */
function noise(random: Random): string {
  const length = random.integer(1, 200);
  return Array.from({ length }, () => String.fromCodePoint(random.integer(32, 0xd7ff))).join("");
}

/** What is wrong whoever sends it, and whenever. */
export function anybodysNonsense(random: Random): Nonsense {
  return random.pick<() => Nonsense>([
    () => ({ kind: "malformed", frames: [malformed(random)], expects: 4000 }),
    () => ({ kind: "malformed", frames: [malformed(random)], expects: 4000 }),
    () => ({ kind: "malformed", frames: [malformed(random)], expects: 4000 }),
    () => ({
      kind: "oversized",
      frames: ["x".repeat(random.integer(65_537, 150_000))],
      expects: 1009,
    }),
    () => ({ kind: "oversized by its header", frames: [{ wire: CLAIMS_100_MB }], expects: 1009 }),
    () => ({
      kind: "no UTF-8",
      frames: [{ wire: frameOf(0x81, Buffer.from([0xc3, 0x28])) }],
      expects: 1007,
    }),
    () => ({
      kind: "unknown opcode",
      frames: [{ wire: frameOf(0x83, Buffer.from("x")) }],
      expects: 1002,
    }),
    () => ({
      kind: "reserved bit",
      frames: [{ wire: frameOf(0xc1, Buffer.from("x")) }],
      expects: 1002,
    }),
    () => ({ kind: "not masked", frames: [{ wire: Buffer.from([0x81, 1, 0x78]) }], expects: 1002 }),
    () => ({ kind: "too many fragments", frames: [{ wire: FRAGMENTS }], expects: 1008 }),
  ])();
}

/** A frame with its mask of zeros, which leaves the bytes as they are. */
function frameOf(firstByte: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([firstByte, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

const CLAIMS_100_MB: Buffer = Buffer.concat([
  Buffer.from([0x81, 0xff, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from("and then little"),
]);
const FRAGMENTS: Buffer = Buffer.concat([
  frameOf(0x01, Buffer.from("x")),
  ...Array.from({ length: 100 }, () => frameOf(0x00, Buffer.from("x"))),
]);
