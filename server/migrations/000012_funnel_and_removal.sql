-- What the funnel can be broken down by. Each dimension is counted by itself: a rare language on a
-- rare page could be one person. `funnel_counts` stays the total, and the previous release goes on
-- writing it.
CREATE TABLE funnel_steps (
  agent_id text NOT NULL REFERENCES agents,
  day date NOT NULL,
  event text NOT NULL,
  dimension text NOT NULL CHECK (dimension IN ('page', 'language', 'entry', 'version')),
  value text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (agent_id, day, event, dimension, value)
);

COMMENT ON COLUMN funnel_steps.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN funnel_steps.event IS 'not personal: what is counted';
COMMENT ON COLUMN funnel_steps.dimension IS 'not personal: page, language, entry or version';
COMMENT ON COLUMN funnel_steps.value IS 'not personal: the page''s site and path, without query and with every part that looks like an id, an address or a token replaced; or a language, a way in, a version';

-- A removed agent is also paused: the previous release knows no other way to let it start nothing.
ALTER TABLE agents
  ADD COLUMN removed_at timestamptz(3);

-- The audit and the receipts of erasures outlive the account: its removal only takes the account off them.
COMMENT ON COLUMN audit.actor IS 'personal: which operator changed something, or `person` · for good, because it is the record of who did what · the operator';
COMMENT ON COLUMN erasures.asked_by IS 'personal: which operator erased, or `person` or `retention` · for good, because it is the record of who did what · the operator';
