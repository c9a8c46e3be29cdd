-- The resume token before the current one. It opens the session until the current one is used: the
-- browser may never have got that.
ALTER TABLE visits
  ADD COLUMN previous_hash bytea;

COMMENT ON COLUMN visits.previous_hash IS 'not personal: hash of a token';
