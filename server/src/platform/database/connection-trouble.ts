import { accessSync, constants } from "node:fs";
import { AppError, errorCode } from "../app-error.ts";
import type { ErrorWords } from "../app-error.ts";

/**
 * Explains why PostgreSQL does not let us in, where trying again does not help: the login, the
 * database's name, or TLS. Undefined for every other error.
 *
 * @param variable the setting with the address at fault
 * @param url that address, where it is known; its password is not repeated
 */
export function connectionTrouble(
  error: unknown,
  { variable = "SVC_DATABASE_URL", url }: { variable?: string; url?: string } = {},
): ErrorWords | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = errorCode(error);
  // PgBouncer says everything under one code.
  const said = code === "" || code === POOLER_CODE ? error.message : code;
  const trouble = TROUBLES.find((one) => one.code.test(said));
  if (trouble === undefined) return undefined;
  const at = url === undefined ? "" : ` at ${new URL(url).host}`;
  return {
    what: trouble.what.replace("{at}", at),
    why: asSentence(databaseReason(error)),
    fix: trouble.fix.replace("{url}", variable),
  };
}

/** Says in a few words why the database did not answer: "connection refused (127.0.0.1:5432)". */
export function databaseReason(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error}`;
  const code = errorCode(error);
  const plain = PLAIN_REASONS[code];
  if (plain !== undefined) return `${plain}${placeOf(error)}`;
  // Errors of several addresses of one host have no words of their own.
  return error.message.split("\n", 1)[0]!.trim() || code || error.name;
}

const PLAIN_REASONS: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "the host's name could not be looked up",
  ETIMEDOUT: "connection timed out",
};

function placeOf(error: Error): string {
  const failed: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const { address, port, hostname } = failed[0] as {
    address?: string;
    port?: number;
    hostname?: string;
  };
  const place = address === undefined ? hostname : `${address}:${port}`;
  return place === undefined ? "" : ` (${place})`;
}

const POOLER_CODE = "08P01";

/** By the error's code, or by its words where it has none of its own: some errors of `pg`, and PgBouncer's. */
const TROUBLES: { code: RegExp; what: string; fix: string }[] = [
  {
    code: /^28|^SASL: |authentication failed|^no such user/,
    what: "The database{at} refused the login.",
    fix: 'Correct the user or the password in {url}. Where it says "no encryption", add sslmode=verify-full to it.',
  },
  {
    code: /^3D000$|^no such database/,
    what: "The database does not exist{at}.",
    fix: "Create it, or correct its name in {url}.",
  },
  {
    code: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    what: "The certificate of PostgreSQL{at} is not valid now.",
    fix: "Renew it, and check the clock of this machine.",
  },
  {
    code: /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    what: "The certificate of PostgreSQL{at} is for another host.",
    fix: "Write into {url} the host that the certificate names, or issue one for the host that stands there.",
  },
  {
    code: /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$/,
    what: "The certificate of PostgreSQL{at} is not trusted.",
    fix: "Add sslmode=verify-full&sslrootcert=/path/to/ca.pem to {url}, with the certificate of the authority that issued it.",
  },
  {
    code: /^(?:ERR_SSL_|ERR_OSSL_|EPROTO$)/,
    what: "The TLS connection to PostgreSQL{at} failed.",
    fix: "Check sslmode, sslrootcert, sslcert and sslkey in {url}, and ssl_min_protocol_version of the server.",
  },
  {
    code: /^The server does not support SSL connections/,
    what: "PostgreSQL{at} offers no TLS.",
    fix: "Set ssl = on in its postgresql.conf, or, in a network that you trust, sslmode=disable in {url}.",
  },
];

/** Reads would fail at the first connection, with nothing but the file's name. */
export function checkTlsFiles(url: string): void {
  const { searchParams } = new URL(url);
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = searchParams.get(name);
    if (file === null) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      throw new AppError(
        "invalid_input",
        {
          what: `The file ${file} cannot be read.`,
          why: `The database's address names it as ${name}: ${errorCode(error)}.`,
          fix: `Correct ${name} in SVC_DATABASE_URL and SVC_EXPORT_DATABASE_URL, or let this user read the file.`,
        },
        { cause: error },
      );
    }
  }
}

/** With a capital letter and a full stop. */
export function asSentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`.replace(/[^.]$/, "$&.");
}
