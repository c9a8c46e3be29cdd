-- What the background work needs: a deadline for every unsettled session, and what became of each evaluation.

ALTER TABLE sessions
  -- When the visitor's socket opened. Until then `connect_by` holds.
  ADD COLUMN connected_at timestamptz(3),
  -- The end of the longest conversation that the agent allows.
  ADD COLUMN converse_by timestamptz(3),
  -- While the visitor is away: when they are given up.
  ADD COLUMN return_by timestamptz(3),
  -- Why a session settled as `error`.
  ADD COLUMN error_reason text;

-- Until when an unsettled session may stay as it is. `least` passes over what is not set.
CREATE FUNCTION session_deadline(
  ended_at timestamptz, evaluate_by timestamptz, connected_at timestamptz,
  connect_by timestamptz, converse_by timestamptz, return_by timestamptz
) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN ended_at IS NOT NULL THEN evaluate_by
    WHEN connected_at IS NULL THEN connect_by
    ELSE least(converse_by, return_by)
  END
$$;

-- What the sweeper reads: the unsettled sessions, the most overdue first.
CREATE INDEX sessions_deadline ON sessions
  (session_deadline(ended_at, evaluate_by, connected_at, connect_by, converse_by, return_by))
  WHERE settled_at IS NULL;

ALTER TABLE evaluations
  -- How often the model was away.
  ADD COLUMN times_away integer NOT NULL DEFAULT 0,
  -- The session's summary, which a test session has nowhere else.
  ADD COLUMN summary text,
  -- What the check of the evidence left out: places and reasons, no words of the conversation.
  ADD COLUMN dropped json;

-- What is asked again once the model is back.
CREATE INDEX evaluations_model_away ON evaluations (finished_at) WHERE failure = 'model_away';
