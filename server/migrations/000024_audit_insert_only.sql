-- Nobody edits the audit. The table belongs to a role that nobody logs in as; the server's login adds
-- entries and reads them. Id and time of an entry are the database's own.

-- An entry outlives its account unchanged: the number of a removed account is never given again.
ALTER TABLE audit DROP CONSTRAINT audit_account_id_fkey;

-- Not that of the transaction, which who holds it open chooses.
ALTER TABLE audit ALTER COLUMN at SET DEFAULT date_trunc('milliseconds', clock_timestamp());

DO $$
BEGIN
  CREATE ROLE svc_audit NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
  NULL;
END
$$;

-- A login that may not give the table away keeps it, which `svc doctor` tells: a second owner in a
-- cluster of PostgreSQL 16 or newer, and an owner who may create no roles.
DO $$
DECLARE
  borrowed boolean := false;
BEGIN
  IF NOT pg_has_role('svc_audit', 'USAGE') THEN
    EXECUTE format('GRANT svc_audit TO %I', current_user);
    borrowed := true;
  END IF;
  GRANT CREATE ON SCHEMA public TO svc_audit;
  ALTER TABLE audit OWNER TO svc_audit;
  REVOKE CREATE ON SCHEMA public FROM svc_audit;
  EXECUTE format('GRANT SELECT, INSERT (actor, action, account_id, subject, detail) ON audit TO %I', current_user);
  -- pg_dump reads it.
  EXECUTE format('GRANT SELECT ON SEQUENCE audit_id_seq TO %I', current_user);
  IF borrowed THEN
    EXECUTE format('REVOKE svc_audit FROM %I', current_user);
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
  NULL;
END
$$;
