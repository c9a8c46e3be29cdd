-- Tokens with which people of the console ask the admin API from a command line. Revoking deletes the row.
CREATE TABLE console_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  user_id integer NOT NULL REFERENCES console_users ON DELETE CASCADE,
  label text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  used_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX console_tokens_of_user ON console_tokens (user_id);

COMMENT ON COLUMN console_tokens.hash IS 'not personal: hash of a token';
COMMENT ON COLUMN console_tokens.label IS 'personal: where its owner uses the token, in their own words · until it is revoked, or 30 days · the operator';
