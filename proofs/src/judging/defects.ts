/** What to put instead of a piece of the sources, which must be there exactly once. */
export type Change = [from: string, to: string];

/**
 * Mistakes in the judging that a developer could make, as changes of the server's sources: mostly
 * one, two where two places keep the same thing out.
 */
export const defects: Record<string, Change[]> = {
  "who said it does not count": [["this.#roles[turn - 1] !== role", "false"]],
  "quotes are not looked for": [["!said.says(quote)", "false"]],
  "quotes are compared by case": [[".toUpperCase()\n      .toLowerCase()", ""]],
  "quotes of a word or two count anywhere": [["!hasWords(quote, FEWEST_WORDS)", "false"]],
  "quotes of a word or two never count": [
    ["wasAsked && transcript.replyTo(asked.turn) === answered.turn", "false"],
  ],
  "what was heard of an interrupted turn is forgotten": [
    [
      "({ content }) => new Source(content)",
      '({ content, interrupted }) => new Source(interrupted ? "" : content)',
    ],
  ],
  "numbers may come from nowhere": [["if (!isLoose)", "if (false)"]],
  "numbers in words are not understood": [
    ["if (spelled !== undefined) this.#learn", "if (spelled === null) this.#learn"],
  ],
  "names may come from nowhere": [["namesIn(rest, base)", 'namesIn("", base)']],
  "a value is grounded in its own turn only": [["this.#turn(turn - 1)].filter", "].filter"]],
  "a prospect's name needs no evidence": [
    ["if (drop(where, fault)) return undefined;\n  const [said", "const [said"],
    ["const isTheirs = isShown(where", "const isTheirs = true || isShown(where"],
  ],
  "a verdict needs no proven reason": [
    ["because.length === 0 || faults.length > 0", "because.length === 0"],
  ],
  "claims are published unverified": [["(where) => shown.has(where)", "() => true"]],
  "one criterion that is met is enough": [["wanted.every(Boolean)", "true"]],
  "keys that nobody configured are kept": [
    ["list.flatMap(({ key }) => {", "[...found.keys()].flatMap((key) => {"],
    [
      "rubric.insights.flatMap(({ key, text })",
      '[...answer.insights.keys()].map((key) => ({ key, text: "" })).flatMap(({ key, text })',
    ],
  ],
  "summaries are not checked": [["return isShown(at, () =>", "return true || isShown(at, () =>"]],
  "summaries may not use what the agent knows": [
    ["knowledgeOf(rubric.knowledge).some(", "[].some("],
  ],
  "the prospect is told the criteria": [
    ["toProspect && secrets.areRepeatedIn(", "false && secrets.areRepeatedIn("],
  ],
  "the language is always the agent's": [
    ["language: agentLanguage(answer.language, rubric)", "language: rubric.defaultLanguage"],
  ],
  "the prompt forgets a question": [
    ["questions: questions.map(", "questions: questions.slice(1).map("],
  ],
  "the prompt forgets the metadata": [["metadata: conversation.metadata,", ""]],
};

/**
 * The files that the changes touch, with their new text.
 *
 * @param sources texts by their path.
 */
export function spoil(
  sources: ReadonlyMap<string, string>,
  changes: Change[],
): Map<string, string> {
  const spoilt = new Map<string, string>();
  for (const [from, to] of changes) {
    const places = [...sources].filter(([, text]) => text.includes(from));
    const [[path, source] = ["", ""]] = places;
    const parts = (spoilt.get(path) ?? source).split(from);
    if (places.length !== 1 || parts.length !== 2)
      throw new Error(`${JSON.stringify(from)} is not in exactly one place`);
    spoilt.set(path, parts.join(to));
  }
  return spoilt;
}
