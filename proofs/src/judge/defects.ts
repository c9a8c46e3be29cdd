/** A mistake in the judging that a developer could make, as a change of the sources. */
export interface Defect {
  /** What goes wrong. */
  name: string;
  /** Mostly one; two where two places keep the same thing out. */
  changes: Change[];
  /** The model that shows it, where the usual one cannot. */
  model?: string;
}

export interface Change {
  /** In the room `evaluation`. */
  file: string;
  /** Stands there exactly once. */
  from: string;
  to: string;
}

/** How the rehearsed model is called decides how it behaves. */
export const MODELS = { usual: "rehearsal", addsKeys: "rehearsal-adds-keys" } as const;

const change = (file: string, from: string, to: string): Change[] => [{ file, from, to }];

export const defects: Defect[] = [
  {
    name: "who said it does not count",
    changes: change("check/transcript.ts", "this.#roles[turn - 1] !== role", "false"),
  },
  {
    name: "quotes are not looked for",
    changes: change("check/transcript.ts", "!said.says(quote)", "false"),
  },
  {
    name: "quotes are compared by case",
    changes: change("check/folding.ts", ".toUpperCase()\n      .toLowerCase()", ""),
  },
  {
    name: "quotes of a word or two count anywhere",
    changes: change("check/transcript.ts", "!hasWords(quote, FEWEST_WORDS)", "false"),
  },
  {
    name: "quotes of a word or two never count",
    changes: change(
      "check/check-claims.ts",
      "wasAsked && transcript.replyTo(asked.turn) === answered.turn",
      "false",
    ),
  },
  {
    name: "what was heard of a cut turn is forgotten",
    changes: change(
      "check/transcript.ts",
      "({ content }) => new Source(content)",
      '({ content, interrupted }) => new Source(interrupted ? "" : content)',
    ),
  },
  {
    name: "numbers may come from nowhere",
    changes: change("check/facts.ts", "if (!isLoose)", "if (false)"),
  },
  {
    name: "numbers in words are not understood",
    changes: change("check/source.ts", "anyNumberWord).flatMap", "() => undefined).flatMap"),
  },
  {
    name: "names may come from nowhere",
    changes: change("check/facts.ts", "namesIn(rest, base)", 'namesIn("", base)'),
  },
  {
    name: "a value is grounded in its own turn only",
    changes: change("check/transcript.ts", "this.#turn(turn - 1)].filter", "].filter"),
  },
  {
    name: "a prospect's name needs no evidence",
    changes: change(
      "check/check-customer-name.ts",
      'drop("customer_name", fault) ? undefined : claim.value',
      "claim.value",
    ),
  },
  {
    name: "a verdict needs no proven reason",
    changes: change(
      "check/check-qualification.ts",
      "because.length === 0 || faults.length > 0",
      "because.length === 0",
    ),
  },
  {
    name: "asking for a verdict is a reason for it",
    // Two places keep it out.
    changes: [
      {
        file: "check/check-qualification.ts",
        from: "isAboutJudging(quote.quote)",
        to: "false",
      },
      {
        file: "check/check-qualification.ts",
        from: "&& isOrdered(conversation)",
        to: "&& !conversation",
      },
    ],
  },
  {
    name: "keys that nobody configured are kept",
    changes: [
      {
        file: "read-answer.ts",
        from: "list.flatMap(({ key }) => {",
        to: "[...found.keys()].flatMap((key) => {",
      },
      {
        file: "check/check-claims.ts",
        from: "rubric.insights.flatMap(({ key })",
        to: "[...answer.insights.keys()].flatMap((key)",
      },
    ],
    model: MODELS.addsKeys,
  },
  {
    name: "summaries are not checked",
    changes: change("check/check-prose.ts", "!factsIn(sentence, language).every(isKnown)", "false"),
  },
  {
    name: "summaries may not use what the agent knows",
    changes: change("check/check-prose.ts", "knowledgeOf(rubric.knowledge).some(", "[].some("),
  },
  {
    name: "the prospect is told the criteria",
    changes: change(
      "check/check-prose.ts",
      "toProspect && secrets.areRepeatedIn(",
      "false && secrets.areRepeatedIn(",
    ),
  },
  {
    name: "the language is always the agent's",
    changes: change(
      "check-answer.ts",
      "language: agentLanguage(answer.language, rubric)",
      "language: rubric.defaultLanguage",
    ),
  },
  {
    name: "the prompt forgets a question",
    changes: change("prompt.ts", "questions: questions.map(", "questions: questions.slice(1).map("),
  },
  {
    name: "the prompt forgets the metadata",
    changes: change("prompt.ts", "metadata: conversation.metadata,", ""),
  },
];
