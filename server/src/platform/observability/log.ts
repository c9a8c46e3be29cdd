import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";
import { OutageGate } from "./outage-gate.ts";

/**
 * JSON logs. Personal data may be handed to the log only under the key `pii`, at the top or one
 * level down, and never leaves the process: what is printed is that something was there. Secrets
 * are never handed to it at all; the header paths are the last net.
 */
export function createLog(
  level: LogLevel,
  destination?: DestinationStream,
  { about, isDatabaseAway }: LogOptions = {},
): Log {
  const gate = new OutageGate({
    isOutage: (error) => isDatabaseAway !== undefined && (isDatabaseAway(error) || isFatal(error)),
    onEnd: (outage) => log.warn(outage, "the database answers again"),
  });
  const log = pino(
    {
      level,
      base: about ?? null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ["pii", "*.pii", "authorization", "*.authorization", "*.headers.authorization"],
        censor: "[redacted]",
      },
      serializers: { err: describeError },
      hooks: {
        logMethod(args, print, severity) {
          const [fields, message] = args as [{ err?: unknown } | undefined, string];
          const verdict = severity < WARN ? "print" : gate.judge(fields?.err, message);
          if (verdict === "print") print.apply(this, args);
          if (verdict === "begins") {
            print.apply(this, [{ ...fields, first: message }, "the database does not answer"]);
          }
        },
      },
    },
    destination,
  );
  return log;
}

const WARN = 40;

/** PostgreSQL has ended a connection, or refuses it: a login that no longer holds, a database that is closed. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "FATAL";
}

export interface LogOptions {
  /** Stands in every line. */
  about?: { role: string; instance: string };
  /** While the database is away, only the beginning and the end are logged. */
  isDatabaseAway?: (error: unknown) => boolean;
}

export type Log = Logger;
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * Errors are suspected: a message or detail from PostgreSQL repeats the values of the row at
 * fault ("Key (email)=(ada@example.com) already exists"), a parser's the text it could not read.
 * Of these only name, code and place are told. What PostgreSQL says of logins, rights, missing
 * objects, its resources and its own state names no values, and the operator needs it.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    code,
    message: mayHoldData(error, code) ? "[withheld]" : error.message,
    stack: error.stack
      ?.split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

function mayHoldData(error: Error, code: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return "severity" in error && !/^(?:08|28|3D|42|53|55|57|58)/.test(String(code));
}
