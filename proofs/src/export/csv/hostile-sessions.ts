import { randomUUID } from "node:crypto";
import type { Evaluation, Metadata, Session, TranscriptEntry } from "@svc/contract/types";
import fc from "fast-check";

/**
 * Sessions full of text that breaks readers: the first `pieceCount` hold one kind each, the others
 * any mixture.
 */
export function hostileSessions(count: number, agentId: string, seed: number): Session[] {
  const random = fc.sample(hostileSession, { numRuns: count - pieceCount, seed });
  let atMs = FIRST_AT_MS;
  return [...pieces.map(sessionFullOf), ...random].map(({ gapMs, ...rest }) => {
    atMs += gapMs;
    // No session ever starts on a whole second.
    if (atMs % 1_000 === 0) atMs += 1;
    const created_at = new Date(atMs).toISOString();
    return { id: randomUUID(), agent_id: agentId, created_at, ...rest };
  });
}

const FIRST_AT_MS = Date.UTC(2026, 2, 2, 9, 15);
const LONGEST_TEXT = 100_000;

const formulaStarts = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"];
const formulaRests = ["1+1", 'HYPERLINK("https://example.invalid","go")', "cmd|' /C calc'!A0", ""];
const invisible = [" ", "\u00a0", "\u3000", "\u0001", "\ufeff", "\u200b", "\u202e"];
const formulas = formulaStarts.flatMap((start) => formulaRests.map((rest) => start + rest));
const breaks = ["\n", "\r", "\r\n", "\n\r", "\u2028", "\u2029", "\u0085", "\v", "\f"];
const quotes = [
  '"',
  '""',
  '"""',
  "'",
  "''",
  '\\"',
  '","',
  '"\r\n"',
  ",",
  ";",
  "\t",
  "|",
  "\\",
  "\\.",
];
const numbers = [
  "+49 30 1234",
  "-0.5",
  "0",
  "007",
  "1234567890123456",
  "1e5",
  "1,5",
  "50%",
  "12:30",
  "2026-03-02",
  "1/2/2026",
];
const words = [" padded ", "TRUE", "NULL", "NaN", "#REF!", "{=1+1}", "_x000D_"];
const unicode = [
  "👩‍👩‍👧‍👦",
  "🇪🇺",
  "\u202eevil\u202c",
  "שלום مرحبا",
  "Z\u0351\u036b\u0343a\u0308",
  "in\ufeffside",
  "\uffff",
  "\ufffe",
  "\u{1ffff}",
  "𝒳𠮷",
  "\u0001\b\u001b\u007f\u009f",
];

/** Each has broken a CSV reader, a spreadsheet or the handling of text somewhere. */
const pieces: string[] = [
  ...formulas,
  ...invisible.flatMap((start) => [start, `${start}=1+1`, `${start}plain`]),
  ...breaks,
  ...quotes,
  ...numbers,
  ...words,
  ...unicode,
];

export const pieceCount: number = pieces.length;

function sessionFullOf(text: string): HostileSession {
  return {
    gapMs: 150,
    status: "processed",
    metadata: { [text]: text },
    transcript: [{ role: "user", content: text }],
    summary: text,
    evaluation: { summary: text },
    email: text,
  };
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }) },
);

/** A piece every hundred characters: LibreOffice takes many seconds to lay out a cell of nothing but line breaks. */
const longText = fc
  .tuple(piece, fc.integer({ min: 1, max: LONGEST_TEXT / 100 }))
  .map(([part, times]) => (part + "x".repeat(100)).slice(0, 100).repeat(times));

/** Never empty, never NUL, never half a surrogate pair: such values are not stored. */
const hostileText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 500, arbitrary: piece },
    {
      weight: 500,
      arbitrary: fc.array(piece, { minLength: 2, maxLength: 8 }).map((all) => all.join("")),
    },
    { weight: 1, arbitrary: longText },
  )
  .map((text) => text.toWellFormed().replaceAll("\0", "\u0001"));

const hostileKey = fc.oneof(fc.constantFrom("__proto__", "constructor", "", "email"), hostileText);

function mapOf<V>(value: fc.Arbitrary<V>): fc.Arbitrary<Record<string, V>> {
  return fc
    .array(fc.tuple(hostileKey, value), { minLength: 1, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}

const metadata: fc.Arbitrary<Metadata> = mapOf(fc.oneof(fc.constant(""), hostileText));

const transcript: fc.Arbitrary<TranscriptEntry[]> = fc.array(
  fc.record(
    {
      role: fc.constantFrom("user", "assistant"),
      content: hostileText,
      interrupted: fc.constant(true as const),
    },
    { requiredKeys: ["role", "content"] },
  ),
  { minLength: 1, maxLength: 4 },
);

const evaluation: fc.Arbitrary<Evaluation> = fc.record(
  {
    language: fc.constantFrom("en", "zh-Hant"),
    customer_name: hostileText,
    insights: mapOf(fc.record({ value: hostileText, evidence: hostileText })),
    summary: hostileText,
  },
  { requiredKeys: ["language"] },
);

type HostileSession = Omit<Session, "id" | "agent_id" | "created_at"> & { gapMs: number };

const hostileSession: fc.Arbitrary<HostileSession> = fc.record(
  {
    gapMs: fc.integer({ min: 1, max: 700 }),
    status: fc.constantFrom("abandoned", "processed", "error"),
    metadata,
    transcript,
    summary: hostileText,
    evaluation,
    email: hostileText,
    email_verified: fc.boolean(),
    duration_secs: fc.nat(2_147_483_647),
  },
  { requiredKeys: ["gapMs", "status"] },
);
