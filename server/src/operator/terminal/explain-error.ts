import {
  AppError,
  asSentence,
  connectionTrouble,
  databaseReason,
  errorCode,
  isDatabaseAway,
} from "#platform";
import type { AppErrorCode, ErrorWords } from "#platform";
import { oneLine, tone, wrap } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The explanation that every failure prints: what happened, why, and what to do. */
export interface Explanation extends ErrorWords {
  exitCode: number;
  /** The reasons one by one, where there are many. */
  details?: readonly object[];
}

/** 0 done, 1 refused, 2 not understood, 3 what it stands on is away, 70 a defect of ours. */
export const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3, defect: 70 } as const;

export function explain(error: unknown): Explanation {
  // Without a cause it is not the database that is away, and its own words say what is.
  if (error instanceof AppError && (error.code !== "unavailable" || error.cause === undefined)) {
    return {
      what: withoutSecrets(error.what),
      why: withoutSecrets(error.why),
      fix: withoutSecrets(error.fix),
      exitCode: EXIT_OF[error.code],
      ...(error.details !== undefined && { details: error.details }),
    };
  }
  const cause = error instanceof AppError ? error.cause : error;
  const refused = connectionTrouble(cause);
  if (refused !== undefined) return { ...refused, exitCode: EXIT.unavailable };
  const trouble = DATABASE_TROUBLE.find(({ code }) => code.test(errorCode(cause)));
  if (trouble !== undefined) {
    const { what, fix } = trouble;
    return { what, why: reason(cause), fix, exitCode: EXIT.unavailable };
  }
  if (error instanceof AppError || isDatabaseAway(error)) {
    return {
      what: "The database cannot be reached.",
      why: reason(cause),
      fix: "Check that PostgreSQL runs and that SVC_DATABASE_URL names it, then run `svc doctor`.",
      exitCode: EXIT.unavailable,
    };
  }
  return {
    what: "Something in svc itself went wrong.",
    why: reason(error),
    fix: "Run it again; if it stays, report it with the lines above.",
    exitCode: EXIT.defect,
  };
}

/** Errors repeat what was typed, and somebody types a token where an id belongs. */
function withoutSecrets(text: string): string {
  return text.replace(SECRET, (secret) => `${secret.slice(0, secret.indexOf("_"))}_…`);
}

/** Tokens of the API, of previews and of operators, and webhook secrets. */
const SECRET = /\b(?:(?:svc|preview|operator)_[0-9A-Za-z]{51}|whsec_[0-9A-Za-z+/]{32})/g;

const EXIT_OF: Record<AppErrorCode, number> = {
  invalid_input: EXIT.usage,
  not_found: EXIT.refused,
  conflict: EXIT.refused,
  unavailable: EXIT.unavailable,
};

/** Explanations of PostgreSQL's errors when it answers but is not set up as svc needs it. */
const DATABASE_TROUBLE: { code: RegExp; what: string; fix: string }[] = [
  {
    code: /^(?:42P01|42703|42883)$/,
    what: "The database's schema does not fit this version of svc.",
    fix: "Run `svc db migrate`.",
  },
  {
    code: /^42501$/,
    what: "The database did not allow it.",
    fix: "Let SVC_DATABASE_URL log in as the owner of the schema.",
  },
  {
    code: /^25006$/,
    what: "The database only reads.",
    fix: "Let SVC_DATABASE_URL name the primary, not a replica.",
  },
  {
    code: /^57014$/,
    what: "The answer took too long, so the database stopped looking.",
    fix: "Ask for less, for example with --since 24h or --account.",
  },
];

export function renderExplanation(terminal: Terminal, { what, why, fix }: ErrorWords): string {
  return [
    `${tone(terminal, "bad", "Error:")} ${oneLine(what)}`,
    `Why:   ${reasons(why, terminal.width)}`,
    `Do:    ${oneLine(fix)}`,
  ].join("\n");
}

/** Formats reasons. If there are many, each begins a line and its continuation is indented. */
function reasons(why: string, width: number): string {
  const lines = why.split("\n");
  if (lines.length === 1) return oneLine(why);
  return lines
    .map((line) => {
      const indent = line.length - line.trimStart().length;
      return " ".repeat(indent) + wrap(line.trim(), width, 7 + indent);
    })
    .join("\n       ");
}

function reason(error: unknown): string {
  return asSentence(databaseReason(error));
}
