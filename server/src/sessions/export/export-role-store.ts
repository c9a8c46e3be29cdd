import pg from "pg";

/** What the export's login really sees when no account is named, which must be nothing. */
export interface ExportRole {
  user: string;
  /** Row-level security holds it on every table it may read. */
  held: boolean;
  /** It saw a row all the same. */
  seesRows: boolean;
  /** Tells one database from another: its name and since when its server runs. */
  database: string;
}

const CONNECT_WITHIN_MS = 2_000;

export async function selectExportRole(url: string): Promise<ExportRole> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
  });
  // A connection that breaks later must not end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<ExportRole>(`
      SELECT current_user AS user,
        row_security_active('session_exports') AND row_security_active('sessions') AND row_security_active('account_clocks') AS held,
        EXISTS (SELECT FROM session_exports) OR EXISTS (SELECT FROM account_clocks) OR EXISTS (SELECT id FROM sessions) AS "seesRows",
        current_database() || ' since ' || extract(epoch FROM pg_postmaster_start_time()) AS database`);
    return rows[0]!;
  } finally {
    await client.end().catch(() => {});
  }
}
