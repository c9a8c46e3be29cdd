-- A page reports which text the visitor accepted, and when. Beside it stand what the server had for
-- that agent's version and language, and its own time. Null for sessions from before.
ALTER TABLE sessions
  ADD COLUMN notice_served_sha256 bytea CHECK (length(notice_served_sha256) = 32),
  ADD COLUMN notice_received_at timestamptz(3);

COMMENT ON COLUMN sessions.notice_served_sha256 IS 'not personal: hash of the notice that the server had for the agent''s version and the visitor''s language';
