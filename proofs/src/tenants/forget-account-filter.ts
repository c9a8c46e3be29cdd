import pg from "pg";

/**
 * Loaded into the server before anything else (`node --import`), it cuts the export's account
 * filter out of every statement on its way to PostgreSQL, as a programmer who forgets it would.
 * Each removal is logged, so that a filter which is no longer found is not taken for a wall that
 * holds.
 */
const ACCOUNT_FILTER = /\b(?:session_exports|clock)\.account_id = \d+/g;

const connection = pg.Connection.prototype as { query(text: string): void };
const { query } = connection;
connection.query = function forgetful(text) {
  query.call(
    this,
    text.replace(ACCOUNT_FILTER, () => {
      process.stdout.write('{"msg":"account filter removed"}\n');
      return "true";
    }),
  );
};
