import pg from "pg";

/**
 * Loaded into the server before anything else (`node --import`), it cuts the export's account
 * filter out of every statement on its way to PostgreSQL, as a programmer who forgets it would.
 * Each removal is logged, so that a filter which is no longer found is not taken for a wall that
 * holds.
 */
const ACCOUNT_FILTER = /\b(?:session_exports|clock)\.account_id = (?:\d+|\$1)/g;

const connection = pg.Connection.prototype as unknown as { query(text: string): void };
const { query } = connection;
connection.query = function queryForgetfully(text) {
  query.call(this, withoutFilter(text));
};

function withoutFilter(text: string): string {
  return text.replace(ACCOUNT_FILTER, (filter) => {
    process.stdout.write('{"msg":"account filter removed"}\n');
    // A prepared statement must still use its first parameter, or PostgreSQL cannot type it.
    return filter.endsWith("$1") ? "$1::integer IS NOT NULL" : "true";
  });
}
