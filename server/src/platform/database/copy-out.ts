import type pg from "pg";
import { scriptLimits } from "./session-limits.ts";

/**
 * Runs a script of statements in one round trip. Of a `COPY … TO STDOUT` in it, each row's bytes
 * are handed over undecoded, one row at a time as PostgreSQL sends them; the rows of a SELECT come
 * back as texts. Every round trip wakes two processes, which costs more than a short statement.
 *
 * The bytes are a view into the connection's read buffer, which is overwritten afterwards: copy
 * what you keep before `onRow` returns.
 *
 * @param withinMs for a script that sets a longer limit than its pool's
 */
export function copyOut(
  client: pg.PoolClient,
  script: string,
  onRow: (row: Buffer) => void,
  withinMs?: number,
): Promise<(string | null)[][]> {
  return new Promise((resolve, reject) => {
    const copy: CopyOut = new CopyOut(scriptLimits(client) + script, onRow, (error) =>
      error ? reject(error) : resolve(copy.selected),
    );
    copy.query_timeout = withinMs;
    client.query(copy);
  });
}

/** The part of a query that `pg` calls back; it replaces `callback` to end its read time-out. */
class CopyOut implements pg.Submittable {
  readonly #script: string;
  readonly #onRow: (row: Buffer) => void;
  callback: (error: Error | null) => void;
  /** Read by `pg`. */
  query_timeout: number | undefined;
  readonly selected: (string | null)[][] = [];
  #failed = false;

  constructor(
    script: string,
    onRow: (row: Buffer) => void,
    callback: (error: Error | null) => void,
  ) {
    this.#script = script;
    this.#onRow = onRow;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#script);
  }

  handleCopyData(message: { chunk: Buffer }): void {
    if (this.#failed) return;
    try {
      this.#onRow(message.chunk);
    } catch (error) {
      // Thrown into the socket's data event it would end the process.
      this.handleError(error as Error);
    }
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.selected.push(message.fields);
  }

  handleRowDescription(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (!this.#failed) this.callback(null);
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.callback(error);
  }
}
