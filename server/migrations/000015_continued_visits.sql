-- A visitor may go on talking after the end, in a session of its own that knows what was said before.
ALTER TABLE visits
  ADD COLUMN continue_hash bytea,
  ADD COLUMN continues uuid REFERENCES sessions ON DELETE SET NULL;
-- Without it, each erased session would read every visit of the day.
CREATE INDEX visits_continues ON visits (continues) WHERE continues IS NOT NULL;

COMMENT ON COLUMN visits.continue_hash IS 'not personal: hash of a token';
