import type pg from "pg";

/**
 * Runs a `COPY … TO STDOUT` and hands over each row's bytes, undecoded. PostgreSQL sends exactly
 * one row per message.
 *
 * The bytes are a view into the connection's read buffer, which is overwritten afterwards: copy
 * what you keep before `onRow` returns.
 */
export function copyOut(
  client: pg.PoolClient,
  text: string,
  onRow: (row: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOut(text, onRow, (error) => (error ? reject(error) : resolve())));
  });
}

/** The part of a query that `pg` calls back; it replaces `callback` to end its read time-out. */
class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #onRow: (row: Buffer) => void;
  callback: (error: Error | null) => void;
  #failed = false;

  constructor(text: string, onRow: (row: Buffer) => void, callback: (error: Error | null) => void) {
    this.#text = text;
    this.#onRow = onRow;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
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

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (!this.#failed) this.callback(null);
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.callback(error);
  }
}
