-- A question was left without an answer. Counted with the session: a page that counts them would otherwise read whole conversations.
ALTER TABLE session_digests ADD COLUMN unanswered boolean NOT NULL DEFAULT false;
ALTER TABLE session_tallies ADD COLUMN unanswered bigint NOT NULL DEFAULT 0;

-- Adds digests to the sums, or takes them off again: its argument is the sign.
CREATE OR REPLACE FUNCTION tally_digests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT integer := TG_ARGV[0]::integer;
BEGIN
  INSERT INTO session_tallies AS t
  SELECT dimension, (created_at AT TIME ZONE 'UTC')::date, agent_id, coalesce(value, ''),
    sign * count(*) FILTER (WHERE counts), sign * count(*) FILTER (WHERE counts AND microphone),
    sign * count(*) FILTER (WHERE counts AND talked), sign * count(*) FILTER (WHERE counts AND email_given),
    sign * count(*) FILTER (WHERE counts AND evaluated), sign * count(*) FILTER (WHERE counts AND qualified),
    sign * count(*) FILTER (WHERE counts AND delivered), sign * count(*) FILTER (WHERE counts AND failed),
    sign * sum(cost_micros), sign * count(*) FILTER (WHERE unpriced), sign * count(*) FILTER (WHERE counts AND unanswered)
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
    cost_micros = t.cost_micros + excluded.cost_micros, unpriced = t.unpriced + excluded.unpriced,
    unanswered = t.unanswered + excluded.unanswered;
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

-- Digests from before do not know it. The newest first: what people look at is counted at once.
INSERT INTO session_digests_due (session_id)
SELECT session_id FROM session_digests WHERE counts AND talked ORDER BY created_at DESC;
