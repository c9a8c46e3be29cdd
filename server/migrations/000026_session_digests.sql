-- What opened the demo, and on what kind of device. Null for sessions from before, and for imported ones.
ALTER TABLE sessions
  ADD COLUMN entry text CHECK (entry IN ('modal', 'widget', 'hero')),
  ADD COLUMN device text CHECK (device IN ('desktop', 'phone', 'tablet'));

COMMENT ON COLUMN sessions.entry IS 'not personal: a button of the page, the widget or the hero';
COMMENT ON COLUMN sessions.device IS 'not personal: desktop, phone or tablet';

ALTER TABLE funnel_steps
  DROP CONSTRAINT funnel_steps_dimension_check,
  ADD CONSTRAINT funnel_steps_dimension_check CHECK (dimension IN ('page', 'language', 'entry', 'version', 'device'));
COMMENT ON COLUMN funnel_steps.dimension IS 'not personal: page, language, entry, version or device';

-- Settled sessions that have changed since their digest was written. Triggers fill it, so that the
-- previous release, which knows nothing of it, does so too.
CREATE TABLE session_digests_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id uuid NOT NULL
);
CREATE INDEX session_digests_due_session ON session_digests_due (session_id);

-- One row for each settled session: what it is found by, and what it adds to the sums of its day.
-- The pipeline writes it after the session has settled, so that no call and no evaluation waits for it.
CREATE TABLE session_digests (
  session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  account_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  agent_id text NOT NULL,
  terms tsvector NOT NULL,
  -- Tests and imported sessions are none of a visitor's: of them only the cost counts.
  counts boolean NOT NULL,
  version text NOT NULL,
  page text,
  language text,
  entry text,
  device text,
  microphone boolean NOT NULL,
  talked boolean NOT NULL,
  email_given boolean NOT NULL,
  evaluated boolean NOT NULL,
  qualified boolean NOT NULL,
  delivered boolean NOT NULL,
  failed boolean NOT NULL,
  cost_micros bigint NOT NULL,
  unpriced boolean NOT NULL,
  answers_ms integer[] NOT NULL,
  cuts_ms integer[] NOT NULL
);
CREATE INDEX session_digests_terms ON session_digests USING gin (terms);
CREATE INDEX session_digests_newest ON session_digests (created_at, session_id);
CREATE INDEX session_digests_of_account ON session_digests (account_id, created_at, session_id);

COMMENT ON COLUMN session_digests.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN session_digests.terms IS 'personal: the words that were heard, without their order, the visitor''s name and address · until erasure, at the latest the account''s retention · the operator';
COMMENT ON COLUMN session_digests.version IS 'not personal: the agent''s version';
COMMENT ON COLUMN session_digests.page IS 'not personal: the page''s site and path, without query and with every part that looks like an id, an address or a token replaced';
COMMENT ON COLUMN session_digests.language IS 'personal: the visitor''s language · until erasure, at the latest the account''s retention · the operator';
COMMENT ON COLUMN session_digests.entry IS 'not personal: a button of the page, the widget or the hero';
COMMENT ON COLUMN session_digests.device IS 'not personal: desktop, phone or tablet';

-- The sums of each agent's days, in all (dimension `all`) and by each dimension by itself. '' is not known.
CREATE TABLE session_tallies (
  dimension text NOT NULL,
  day date NOT NULL,
  agent_id text NOT NULL REFERENCES agents,
  value text NOT NULL,
  started bigint NOT NULL,
  microphone bigint NOT NULL,
  talked bigint NOT NULL,
  email_given bigint NOT NULL,
  evaluated bigint NOT NULL,
  qualified bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  cost_micros bigint NOT NULL,
  unpriced bigint NOT NULL,
  PRIMARY KEY (dimension, day, agent_id, value)
);

COMMENT ON COLUMN session_tallies.dimension IS 'not personal: what is counted by';
COMMENT ON COLUMN session_tallies.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN session_tallies.value IS 'not personal: a page as in session_digests, a language, a way in, a device, a version';

-- How many answers began, and how many interrupted sentences ended, after so many milliseconds.
CREATE TABLE session_times (
  kind text NOT NULL CHECK (kind IN ('answer', 'cut')),
  day date NOT NULL,
  agent_id text NOT NULL REFERENCES agents,
  ms integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (kind, day, agent_id, ms)
);

COMMENT ON COLUMN session_times.kind IS 'not personal: what was timed';
COMMENT ON COLUMN session_times.agent_id IS 'not personal: an agent''s identifier';

-- Adds digests to the sums, or takes them off again: its argument is the sign.
CREATE FUNCTION tally_digests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT integer := TG_ARGV[0]::integer;
BEGIN
  INSERT INTO session_tallies AS t
  SELECT dimension, (created_at AT TIME ZONE 'UTC')::date, agent_id, coalesce(value, ''),
    sign * count(*) FILTER (WHERE counts), sign * count(*) FILTER (WHERE counts AND microphone),
    sign * count(*) FILTER (WHERE counts AND talked), sign * count(*) FILTER (WHERE counts AND email_given),
    sign * count(*) FILTER (WHERE counts AND evaluated), sign * count(*) FILTER (WHERE counts AND qualified),
    sign * count(*) FILTER (WHERE counts AND delivered), sign * count(*) FILTER (WHERE counts AND failed),
    sign * sum(cost_micros), sign * count(*) FILTER (WHERE unpriced)
  FROM changed
  CROSS JOIN LATERAL (VALUES ('all', ''), ('version', version), ('page', page), ('language', language),
    ('entry', entry), ('device', device)) AS counted (dimension, value)
  WHERE counts OR dimension = 'all'
  GROUP BY 1, 2, 3, 4
  -- Whoever adds to the same rows locks them in the same order.
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (dimension, day, agent_id, value) DO UPDATE SET
    started = t.started + excluded.started, microphone = t.microphone + excluded.microphone, talked = t.talked + excluded.talked,
    email_given = t.email_given + excluded.email_given, evaluated = t.evaluated + excluded.evaluated,
    qualified = t.qualified + excluded.qualified, delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed,
    cost_micros = t.cost_micros + excluded.cost_micros, unpriced = t.unpriced + excluded.unpriced;
  INSERT INTO session_times AS t
  SELECT kind, (created_at AT TIME ZONE 'UTC')::date, agent_id, ms, sign * count(*)
  FROM changed
  CROSS JOIN LATERAL (
    SELECT 'answer' AS kind, unnest(answers_ms) AS ms UNION ALL SELECT 'cut', unnest(cuts_ms)
  ) AS timed
  WHERE counts
  GROUP BY 1, 2, 3, 4
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (kind, day, agent_id, ms) DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON session_digests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tally_digests('1');
CREATE TRIGGER tally_deleted AFTER DELETE ON session_digests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tally_digests('-1');
CREATE TRIGGER tally_updated_from AFTER UPDATE ON session_digests
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tally_digests('-1');
CREATE TRIGGER tally_updated_to AFTER UPDATE ON session_digests
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tally_digests('1');

-- Before the triggers, which keep writers of sessions waiting until this migration is committed. The
-- newest first: what people look at is counted at once.
INSERT INTO session_digests_due (session_id)
SELECT id FROM sessions WHERE settled_at IS NOT NULL ORDER BY created_at DESC;

CREATE FUNCTION digest_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'sessions' THEN
    INSERT INTO session_digests_due (session_id) VALUES (NEW.id);
  ELSE
    INSERT INTO session_digests_due (session_id) VALUES (NEW.session_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER digest_is_due AFTER INSERT OR UPDATE OF status, email, cost_micros ON sessions
  FOR EACH ROW WHEN (NEW.settled_at IS NOT NULL) EXECUTE FUNCTION digest_is_due();
CREATE TRIGGER digest_is_due AFTER UPDATE OF state, followed ON deliveries
  FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL) EXECUTE FUNCTION digest_is_due();

-- Those that settled meanwhile. `now()` is when this migration began.
INSERT INTO session_digests_due (session_id)
SELECT s.id FROM accounts CROSS JOIN LATERAL (
  SELECT id, settled_at FROM sessions WHERE account_id = accounts.id AND created_at > now() - interval '1 day'
) AS s
WHERE s.settled_at >= now() - interval '10 seconds';

-- Deliveries of a state that few are in, without passing all that were delivered.
CREATE INDEX deliveries_undelivered ON deliveries (endpoint_id, state, id) WHERE state IN ('exhausted', 'orphaned', 'cancelled');
