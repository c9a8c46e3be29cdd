import pg from "pg";

/** What PostgreSQL itself enforces, however the client fares. */
export interface SessionLimits {
  statementTimeoutMs: number;
  idleInTransactionMs: number;
}

/**
 * Puts the limits in force on a new connection. They are not sent with the login: PgBouncer refuses
 * them there, or drops them in silence.
 *
 * On a connection of our own they are set once. Behind a pooler, whatever its mode, the backend of
 * the next transaction may be another one, so each transaction carries them, and nothing else may be
 * kept in the session: `isPooled` tells who prepares statements.
 *
 * @param withinMs the time that the answer may take
 */
export async function limitSession(
  client: pg.ClientBase,
  limits: SessionLimits,
  withinMs: number,
): Promise<void> {
  const { statementTimeoutMs, idleInTransactionMs } = limits;
  const { processID } = client as unknown as { processID: number };
  // A pooler names a process of its own invention to its clients.
  const text = `SELECT CASE WHEN pg_backend_pid() = ${processID} THEN
    set_config('statement_timeout', '${statementTimeoutMs}', false) ||
    set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false)
  END IS NOT NULL AS own`;
  const { rows } = await client.query<{ own: boolean }>({ text, query_timeout: withinMs } as {
    text: string;
  });
  if (rows[0]?.own) return;
  limitsOf.set(
    client,
    `SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs};\n`,
  );
  limitTransactions(client);
}

const SET_STATEMENTS = 2;
const limitsOf = new WeakMap<pg.ClientBase, string>();

/** Whether the connection ends at a pooler: what a session keeps, such as prepared statements, is then lost or somebody else's. */
export function isPooled(client: pg.ClientBase): boolean {
  return limitsOf.has(client);
}

/** The statements that a script of statements begins with, so that the limits hold for it. */
export function scriptLimits(client: pg.ClientBase): string {
  return limitsOf.get(client) ?? "";
}

/** Statements that PostgreSQL runs in no transaction, and that are not wrapped in one therefore: pg-boss rebuilds its indexes so. */
const NO_TRANSACTION = /\bCONCURRENTLY\b/i;

/**
 * An error may arrive before the word that its transaction has failed: the connection then looks as if
 * it were in none, and a script that begins with limits would be refused in it.
 */
const TRANSACTION_END = /^\s*(?:ROLLBACK|COMMIT)\s*;?\s*$/i;

/**
 * Makes every query outside of a transaction carry the limits: a text goes with them as one script,
 * which PostgreSQL takes for one transaction and in which `BEGIN` keeps them; a statement with values
 * cannot be part of a script and gets a transaction around it.
 */
function limitTransactions(client: pg.ClientBase): void {
  const plain = client.query.bind(client) as unknown as Query;
  const limits = scriptLimits(client);
  const limited = async (text: string, values: unknown): Promise<unknown> => {
    if (!Array.isArray(values) || values.length === 0) {
      const all = (await plain(limits + text)) as unknown[];
      const own = all.slice(SET_STATEMENTS);
      return own.length === 1 ? own[0] : own;
    }
    await plain(`${limits}BEGIN`);
    try {
      const result = await plain(text, values);
      await plain("COMMIT");
      return result;
    } catch (error) {
      // A query that was given up still runs: behind it, this would wait as long again.
      if (error instanceof pg.DatabaseError) {
        await Promise.resolve(plain("ROLLBACK")).catch(() => {});
      }
      throw error;
    }
  };
  const query = (text: unknown, values?: unknown, done?: Done): unknown => {
    const isOutside = client.getTransactionStatus() === "I";
    const isPlain = (sql: string): boolean => NO_TRANSACTION.test(sql) || TRANSACTION_END.test(sql);
    if (typeof text !== "string" || !isOutside || isPlain(text)) {
      return plain(text, values, done);
    }
    const answer = limited(text, values);
    return done === undefined ? answer : void tell(answer, done);
  };
  client.query = query as typeof client.query;
}

async function tell(answer: Promise<unknown>, done: Done): Promise<void> {
  const [result, error] = await answer.then(
    (value) => [value, null],
    (reason: unknown) => [undefined, reason],
  );
  done(error, result);
}

type Done = (error: unknown, result?: unknown) => void;
type Query = (...args: unknown[]) => unknown;
