import { Socket } from "node:net";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Transaction } from "kysely";
import pg from "pg";
import { AppError } from "../app-error.ts";
import type { Log } from "../observability/log.ts";
import { checkTlsFiles, connectionTrouble } from "./connection-trouble.ts";
import { messageSocket } from "./message-socket.ts";
import { isPooled, limitSession } from "./session-limits.ts";
import { parseJson } from "../parse-json.ts";

/**
 * A module names its own tables with `db.withTables<…>()` in its store; the platform knows none of them.
 */
export type Db = Kysely<NoTables>;
export type Trx = Transaction<NoTables>;
export type NoTables = Record<never, never>;

export type Pool = pg.Pool;

export interface PoolOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections: number;
  /** The time limit of a query. The server is asked to stop it then; the client gives up a second later. */
  statementTimeoutMs: number;
  /** The time to wait for a free connection, a second by default. After it, the caller is told to come back later. */
  waitMs?: number;
  /** The time for which a transaction may be idle. Five seconds more than a query may run by default. */
  idleInTransactionMs?: number;
  /**
   * Each connection prepares a statement once. For work that repeats the same few all day: planning
   * them is half of what PostgreSQL does for it. Behind a pooler it does not.
   */
  prepared?: boolean;
  /** For large answers. A connection by TLS is read as any other. */
  muchData?: boolean;
}

const WAIT_MS = 1_000;

export function createPool(options: PoolOptions, log: Log): pg.Pool {
  checkTlsFiles(options.url);
  const waitMs = options.waitMs ?? WAIT_MS;
  const limits = {
    statementTimeoutMs: options.statementTimeoutMs,
    idleInTransactionMs: options.idleInTransactionMs ?? options.statementTimeoutMs + 5_000,
  };
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.maxConnections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    // Without it a backend that is frozen, or a network that swallows packets, holds a query without end.
    query_timeout: options.statementTimeoutMs + 1_000,
    keepAlive: true,
    onConnect: (client) => limitSession(client, limits, waitMs),
    ...(options.muchData && { stream: muchDataStream }),
    types: { getTypeParser: typeParser },
  });
  // A connection that dies while idle, or inside a transaction, emits `error`; with no listener
  // that ends the process.
  const lost = (error: Error): void =>
    log.warn({ err: error, pool: options.name }, "database connection lost");
  pool.on("error", lost);
  pool.on("connect", (client) => {
    client.on("error", lost);
    if (options.prepared && !isPooled(client)) prepareStatements(client);
  });
  // A query that was given up goes on in its connection, and the next one would wait behind it.
  pool.on("release", (_error, client) => {
    const { readyForQuery } = client as unknown as { readyForQuery: boolean };
    if (!readyForQuery) void (client as unknown as pg.Client).end();
  });
  return pool;
}

/** `pg` passes the connection's settings, which its types do not declare. TLS has no use for the reused buffer. */
const muchDataStream = (({ ssl }: { ssl?: unknown }) =>
  ssl ? new Socket() : messageSocket()) as () => Socket;

/** Makes `pg` prepare statements by giving them names. Statements without parameters, such as `BEGIN` and `COMMIT`, are not worth it. */
function prepareStatements(client: pg.PoolClient): void {
  const names = new Map<string, string>();
  const plain = client.query.bind(client) as Query;
  const query: Query = (text, values, ...rest) => {
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0) {
      return plain(text, values, ...rest);
    }
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return plain({ name, text, values: values as unknown[] }, ...rest);
  };
  client.query = query as typeof client.query;
}

type Query = (...args: unknown[]) => unknown;

/** `json` and `jsonb` by a parser that keeps their keys; everything else as `pg` reads it. */
const typeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.JSON || oid === pg.types.builtins.JSONB
    ? parseJson
    : pg.types.getTypeParser(oid, format);

export function createDb(pool: pg.Pool): Db {
  return new Kysely<NoTables>({ dialect: new PostgresDialect({ pool }) });
}

/** True for what passes by itself: PostgreSQL restarting, full, out of connections, or not to be reached. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (AWAY_CODE.test(code) || AWAY_ERRNO.has(code))) return true;
  return AWAY_MESSAGE.test(error.message);
}

/** 08: connection; 25P03, 57014: timed out; 53: out of disk, memory, connections; 57P0x: shutting down, starting; 58: I/O. */
const AWAY_CODE = /^(?:08...|25P03|53...|57014|57P0.|58...)$/;
const AWAY_ERRNO = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** Errors of `pg` itself, which have no code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/**
 * Runs `work` and turns "the database is away" into the error that every adapter knows how to answer.
 *
 * @param withinMs for callers that cannot wait as long as the pool's statements may take.
 */
export async function orUnavailable<T>(work: () => Promise<T>, withinMs?: number): Promise<T> {
  try {
    return await (withinMs === undefined ? work() : giveUpAfter(withinMs, work()));
  } catch (error) {
    // A refused login does not pass by itself, but it is the operator's to mend: the caller comes back later.
    if (isDatabaseAway(error) || connectionTrouble(error) !== undefined) {
      throw new AppError(
        "unavailable",
        {
          what: "The sessions cannot be read right now.",
          why: "The database does not answer.",
          fix: "Try again in a moment.",
        },
        { cause: error },
      );
    }
    throw error;
  }
}

async function giveUpAfter<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Query read timeout after ${ms} ms`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/**
 * One unit of work. A deadlock or a serialization failure rolls everything back, so the whole
 * unit runs again; nothing else is repeated.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === 3 || (code !== "40001" && code !== "40P01")) throw error;
    }
  }
}

export interface DatabaseFacts {
  /** The version as PostgreSQL writes it: "15.9 (Debian 15.9-0+deb12u1)". */
  version: string;
  major: number;
  encoding: string;
  /** Its clock, in milliseconds since the epoch. */
  nowMs: number;
  /** Tells one database from another: its name and since when its server runs. */
  database: string;
}

export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer / 10000 AS major,
      current_setting('server_encoding') AS encoding,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs",
      current_database() || ' since ' || extract(epoch FROM pg_postmaster_start_time()) AS database`.execute(
    db,
  );
  return rows[0]!;
}
