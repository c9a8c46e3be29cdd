import pg from "pg";

/**
 * Loaded into the server before anything else (`node --import`), it cuts the lock out of the
 * statement that orders an account's starts, as a programmer who thinks it superfluous would. Each
 * removal is logged, so that a lock which is no longer found is not taken for one that is not needed.
 */
const LOCK = /(FROM account_clocks WHERE account_id = \$1) FOR UPDATE$/;

interface Parsing {
  parse(query: { text: string }, more?: boolean): void;
}

const connection = pg.Connection.prototype as unknown as Parsing;
const { parse } = connection;
connection.parse = function parseForgetfully(query, more) {
  const text = query.text.replace(LOCK, "$1");
  if (text !== query.text) process.stdout.write('{"msg":"lock removed"}\n');
  parse.call(this, { ...query, text }, more);
};
