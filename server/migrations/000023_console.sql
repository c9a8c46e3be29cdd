-- The people who use the console. Operators make them with `svc console login`; nobody signs up.
CREATE TABLE console_users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  -- Without it they see the accounts of console_user_accounts only: none, when the last of those is removed.
  all_accounts boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  CHECK (all_accounts OR role <> 'admin')
);

CREATE TABLE console_user_accounts (
  user_id integer NOT NULL REFERENCES console_users ON DELETE CASCADE,
  account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  PRIMARY KEY (user_id, account_id)
);
CREATE INDEX console_users_of_account ON console_user_accounts (account_id);

-- A link works once: signing in deletes its row.
CREATE TABLE console_links (
  hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES console_users ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX console_links_of_user ON console_links (user_id);

CREATE TABLE console_sessions (
  hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES console_users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  used_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
);
CREATE INDEX console_sessions_of_user ON console_sessions (user_id);

COMMENT ON COLUMN console_users.name IS 'personal: who may use the console, and whose name the audit records · until `svc console remove` · the operator';
COMMENT ON COLUMN console_users.role IS 'not personal: what a role may do is fixed';
COMMENT ON COLUMN console_links.hash IS 'not personal: hash of a sign-in link';
COMMENT ON COLUMN console_sessions.hash IS 'not personal: hash of a random session id';
