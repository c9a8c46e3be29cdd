-- PostgreSQL is the only truth. Sums and reasons: docs/decisions/2026-11-15-postgresql-is-the-only-truth.md

-- The export logs in as this role and sees one account's rows at a time (policies below). It is
-- created without a login; `migrate` gives it the password of the configured export address.
-- Roles belong to the whole cluster, so another database of the same cluster may have made it first.
DO $$
BEGIN
  CREATE ROLE svc_export NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;

-- ── accounts ────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id text NOT NULL UNIQUE,
  name text NOT NULL,
  export_mode text NOT NULL DEFAULT 'settled_prefix' CHECK (export_mode IN ('settled_prefix', 'as_available')),
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
);

CREATE TABLE tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  label text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  revoked_at timestamptz(3)
);
CREATE INDEX tokens_account ON tokens (account_id);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  actor text NOT NULL,
  action text NOT NULL,
  account_id integer REFERENCES accounts,
  subject text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_account ON audit (account_id, id);

-- ── agents ──────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE agents (
  id text PRIMARY KEY CHECK (id ~ '^agent_[a-z0-9]{22}$'),
  account_id integer NOT NULL REFERENCES accounts,
  slug text NOT NULL,
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'paused')),
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  UNIQUE (account_id, slug)
);

CREATE TABLE agent_versions (
  agent_id text NOT NULL REFERENCES agents,
  version integer NOT NULL CHECK (version > 0),
  config jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  PRIMARY KEY (agent_id, version)
);

-- A session names the version it ran. If a version could change, the record would lie about the past.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows never change: write a new version instead', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER agent_versions_are_immutable BEFORE UPDATE ON agent_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- ── sessions ────────────────────────────────────────────────────────────────────────────────────

-- The last start stamp of each account. Its row lock orders the starts of an account: a stamp is
-- allotted last in the start transaction, so stamp order is commit order and no reader can pass a
-- start that commits late. Half-empty pages keep the constant updates in place (HOT).
CREATE TABLE account_clocks (
  account_id integer PRIMARY KEY REFERENCES accounts,
  last_at timestamptz(3) NOT NULL,
  in_second smallint NOT NULL CHECK (in_second BETWEEN 0 AND 99)
) WITH (fillfactor = 50);

-- The next stamp: later than the last one, never on a whole second (or `created_at > since` would
-- lose it), at most 99 in one second (or a reader at limit 100 would never leave that second).
CREATE FUNCTION next_stamp(last_at timestamptz, in_second integer, now timestamptz, OUT at timestamptz, OUT count integer)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nudged.at,
    CASE WHEN date_trunc('second', nudged.at) = date_trunc('second', last_at) THEN in_second + 1 ELSE 1 END
  FROM (SELECT greatest(date_trunc('milliseconds', now), last_at + interval '1 millisecond') AS at) AS earliest
  CROSS JOIN LATERAL (SELECT CASE
      WHEN in_second >= 99 AND date_trunc('second', earliest.at) = date_trunc('second', last_at)
      THEN date_trunc('second', last_at) + interval '1 second'
      ELSE earliest.at
    END AS at) AS spread
  CROSS JOIN LATERAL (SELECT CASE
      WHEN spread.at = date_trunc('second', spread.at) THEN spread.at + interval '1 millisecond'
      ELSE spread.at
    END AS at) AS nudged
$$;

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts,
  agent_id text NOT NULL,
  agent_version integer NOT NULL,
  test boolean NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'abandoned', 'processed', 'error')),
  created_at timestamptz(3) NOT NULL CHECK (created_at <> date_trunc('second', created_at)),
  connect_by timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text,
  evaluate_by timestamptz(3),
  settled_at timestamptz(3),
  -- json, not jsonb: the site's keys and values are passed through as they came, `\u0000`-free by then.
  metadata json NOT NULL,
  email text,
  email_verified boolean,
  duration_secs integer CHECK (duration_secs >= 0),
  -- The export's order: people list sessions by it, and the export row hangs on it.
  UNIQUE (account_id, created_at, id),
  FOREIGN KEY (agent_id, agent_version) REFERENCES agent_versions (agent_id, version),
  CHECK ((status = 'active') = (settled_at IS NULL)),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK (settled_at IS NULL OR ended_at IS NOT NULL)
);
-- What holds the export's edge: a handful of rows per account, whatever the size of the table.
CREATE INDEX sessions_unsettled ON sessions (account_id, created_at, id) WHERE settled_at IS NULL AND NOT test;

-- The live log. Partitioned by the day of the session's start, so that a day is dropped and never
-- deleted row by row; the settled transcript lives on in session_exports. The default partition
-- takes what no day has been made for yet, so a late maintenance run never stops a conversation.
CREATE SEQUENCE turns_seq AS bigint;
CREATE TABLE turns (
  session_at timestamptz(3) NOT NULL,
  session_id uuid NOT NULL,
  item_id text NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('turns_seq'),
  role text NOT NULL CHECK (role IN ('user', 'assistant')),
  content text NOT NULL CHECK (content <> ''),
  interrupted boolean NOT NULL DEFAULT false,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (session_at, session_id, item_id)
) PARTITION BY RANGE (session_at);
ALTER SEQUENCE turns_seq OWNED BY turns.seq;
CREATE TABLE turns_default PARTITION OF turns DEFAULT;

-- What the operator sees of a session and the customer does not: tools, cards, network, ratings.
CREATE SEQUENCE session_events_seq AS bigint;
CREATE TABLE session_events (
  session_at timestamptz(3) NOT NULL,
  session_id uuid NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('session_events_seq'),
  at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (session_at, session_id, seq)
) PARTITION BY RANGE (session_at);
ALTER SEQUENCE session_events_seq OWNED BY session_events.seq;
CREATE TABLE session_events_default PARTITION OF session_events DEFAULT;

-- Makes the log partitions of the given day, in UTC. Two processes may ask at once. Rows that came
-- before their day was made are moved out of the default partition, which would block it otherwise.
CREATE FUNCTION make_log_partitions(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  log text;
  partition text;
  first_at text := day::text || ' 00:00:00+00';
  end_at text := (day + 1)::text || ' 00:00:00+00';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_log_partitions'));
  FOREACH log IN ARRAY ARRAY['turns', 'session_events'] LOOP
    partition := log || to_char(day, '"_"YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, log);
    EXECUTE format('WITH early AS (DELETE FROM %I WHERE session_at >= %L AND session_at < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
      log || '_default', first_at, end_at, partition);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, partition, first_at, end_at);
  END LOOP;
END
$$;

CREATE TABLE evaluations (
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  version integer NOT NULL CHECK (version > 0),
  state text NOT NULL CHECK (state IN ('pending', 'written', 'failed')),
  requested_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  model text,
  prompt_hash bytea,
  input_tokens integer,
  output_tokens integer,
  cost_micros bigint,
  evaluation json,
  failure text,
  PRIMARY KEY (session_id, version),
  CHECK ((state = 'pending') = (finished_at IS NULL)),
  CHECK ((state = 'written') = (evaluation IS NOT NULL)),
  CHECK ((state = 'failed') = (failure IS NOT NULL))
);
-- A second request joins the one that is waiting.
CREATE UNIQUE INDEX evaluations_one_pending ON evaluations (session_id) WHERE state = 'pending';

-- One row per settled session that is not a test, written in the transaction that settles it and
-- rewritten on re-evaluation. The export copies these columns out as they stand: metadata,
-- transcript and evaluation hold finished JSON, summary and email plain text, NULL means "no key".
CREATE TABLE session_exports (
  account_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  agent_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('abandoned', 'processed', 'error')),
  metadata text,
  transcript text,
  summary text,
  evaluation text,
  email text,
  email_verified boolean,
  duration_secs integer,
  PRIMARY KEY (account_id, created_at, id),
  -- By the whole key, so that erasing a session finds its row by the primary key; by the id alone
  -- it would read the whole table.
  FOREIGN KEY (account_id, created_at, id) REFERENCES sessions (account_id, created_at, id) ON DELETE CASCADE
);

-- ── row-level security: the second wall behind the export's own account filter ──────────────────
-- After a transaction the setting is '' and not NULL, hence NULLIF: no account, no row.

GRANT SELECT ON session_exports, account_clocks TO svc_export;
GRANT SELECT (id, account_id, created_at, settled_at, test) ON sessions TO svc_export;

ALTER TABLE session_exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_clocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;

CREATE POLICY one_account ON session_exports FOR SELECT TO svc_export
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::integer);
CREATE POLICY one_account ON account_clocks FOR SELECT TO svc_export
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::integer);
CREATE POLICY one_account ON sessions FOR SELECT TO svc_export
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::integer);
