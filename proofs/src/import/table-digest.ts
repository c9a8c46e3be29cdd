import type { TestDatabase } from "@svc/server/testing";

/** Changes when any row of a session, a clock or the audit does. */
export async function tableDigest({ pool }: TestDatabase): Promise<string> {
  const digests = await Promise.all(
    ["sessions", "session_exports", "account_clocks", "audit", "turns"].map(async (table) => {
      const { rows } = await pool.query<{ digest: string | null }>(
        `SELECT md5(string_agg(md5(t::text), '' ORDER BY t::text)) AS digest FROM ${table} AS t`,
      );
      return rows[0]!.digest ?? "";
    }),
  );
  return digests.join("-");
}
