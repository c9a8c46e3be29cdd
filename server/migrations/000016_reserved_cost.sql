-- What a session may still spend of its agent's day, its evaluation included. The day's limit counts it as spent, so that
-- calls at the same time cannot exceed the limit together. Released when the session is settled.
ALTER TABLE sessions ADD COLUMN reserved_micros bigint NOT NULL DEFAULT 0;
CREATE INDEX sessions_reserved ON sessions (agent_id) WHERE reserved_micros > 0;
