import type { Random } from "@svc/tools/random";

/** Longer than any answer; made once, for it takes its time. */
const TEN_MEGABYTES = "x".repeat(10_000_000);

/** An answer as a text: plain, in a block of Markdown, or spoilt so that nothing can be read. */
export function wrap(raw: object, random: Random): { text: string; isReadable: boolean } {
  const text = JSON.stringify(raw);
  if (random.chance(0.92)) {
    const ways = [
      () => text,
      () => text,
      () => `\`\`\`json
${text}
\`\`\``,
      () => `
  ${JSON.stringify(raw, null, 2)}
`,
    ];
    return { text: random.pick(ways)(), isReadable: true };
  }
  const field = random.pick([
    "questions",
    "insights",
    "prospect_questions",
    "objections",
    "summary",
  ]);
  const without = (value: unknown): string => JSON.stringify({ ...raw, [field]: value });
  const spoilt = [
    () => "I am sorry, I cannot judge this conversation.",
    () => `Here is the evaluation:\n${text}`,
    () => text.slice(0, random.integer(0, text.length - 1)),
    () => JSON.stringify([raw]),
    () => random.pick(["", "null", "true", '"qualified"', "{}", "[]"]),
    () => without(undefined),
    () => without(null),
    () => without(7),
    () => JSON.stringify({ ...raw, conversation_summary: " " }),
    () => JSON.stringify({ ...raw, prospect_summary: "x".repeat(5_000) }),
    () => `{"summary":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    ...(random.chance(0.05) ? [() => JSON.stringify({ ...raw, summary: TEN_MEGABYTES })] : []),
  ];
  return { text: random.pick(spoilt)(), isReadable: false };
}
