-- What an import named as the start of a session that could not keep it: the whole second, or a
-- second that was full. Without it, the same file imported again would look like other content.
ALTER TABLE sessions ADD COLUMN given_at timestamptz(3) CHECK (given_at < created_at);
