import type { TestDatabase } from "@svc/server/testing";

/** Each kind of change, how many there are, and how many the audit tells. */
const CHANGES: Record<string, string> = {
  "account.add": "SELECT count(*) FROM accounts",
  "token.issue": "SELECT count(*) FROM tokens",
  "token.revoke": "SELECT count(*) FROM tokens WHERE revoked_at IS NOT NULL",
  "agent.add": "SELECT count(*) FROM agents",
  "agent.version": "SELECT count(*) FROM agent_versions",
  "webhook.add": "SELECT count(*) FROM webhook_endpoints",
  "webhook.remove": "SELECT count(*) FROM webhook_endpoints WHERE state = 'removed'",
};

/** Changes that the audit does not tell, and entries of changes that are not there. */
export async function auditGaps({ pool }: TestDatabase): Promise<string[]> {
  const gaps: string[] = [];
  for (const [action, query] of Object.entries(CHANGES)) {
    const { rows } = await pool.query<{ changes: number; told: number }>(
      `SELECT (${query})::integer AS changes, (SELECT count(*)::integer FROM audit WHERE action = $1) AS told`,
      [action],
    );
    const { changes, told } = rows[0]!;
    if (changes !== told || changes === 0) {
      gaps.push(`${changes} changes of the kind ${action}, but the audit tells ${told}`);
    }
  }
  return gaps;
}

/** From now on nothing can be written to the audit. */
export async function breakAudit({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the audit is full';
    END $$;
    CREATE TRIGGER refuse_audit BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit()`);
}

/** Everything that is stored, as one text that differs when anything does. */
export async function fingerprint({ pool }: TestDatabase): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
  );
  const parts = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ hash: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS hash FROM ${name} AS t`,
    );
    return `${name} ${rows[0]!.hash}`;
  });
  return (await Promise.all(parts)).join("\n");
}
