/** Why the start cannot go on, in the three sentences its reader needs. */
export class ExplainedError extends Error {
  readonly what: string;
  readonly why: string;
  readonly fix: string;

  constructor(words: { what: string; why: string; fix: string }) {
    super(words.what);
    this.name = "ExplainedError";
    this.what = words.what;
    this.why = words.why;
    this.fix = words.fix;
  }
}

/** The same three lines that `svc` prints. */
export function explain(error: unknown): string {
  const { what, why, fix } =
    error instanceof ExplainedError
      ? error
      : {
          what: "The development runner itself failed.",
          why: error instanceof Error ? (error.stack ?? error.message) : String(error),
          fix: "Start it again; if it stays, `npm run dev -- --fresh` begins with new data.",
        };
  return [`Error: ${what}`, `Why:   ${why}`, `Do:    ${fix}`].join("\n");
}
