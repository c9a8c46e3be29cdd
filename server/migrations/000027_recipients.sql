-- Which services outside each part of the server uses: every process says so with its reports, because no
-- process knows the settings of another. A row that is no longer renewed was last used at `used_at`.
CREATE TABLE services_in_use (
  part text NOT NULL CHECK (part IN ('api', 'live', 'pipeline')),
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  services jsonb NOT NULL CHECK (jsonb_typeof(services) = 'array'),
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (part, sha256)
) WITH (fillfactor = 50);

COMMENT ON COLUMN services_in_use.part IS 'not personal: a part of the server';
COMMENT ON COLUMN services_in_use.sha256 IS 'not personal: hash of the services';
COMMENT ON COLUMN services_in_use.services IS 'not personal: names and public hosts of services';

-- Everybody who gets something of what visitors say, as visitors can read it, by the hash that sessions refer to.
-- Of the type json, which keeps the text that the hash is of.
CREATE TABLE recipient_lists (
  sha256 bytea PRIMARY KEY CHECK (length(sha256) = 32),
  list json NOT NULL CHECK (json_typeof(list) = 'object'),
  first_used_at timestamptz(3) NOT NULL
);

COMMENT ON COLUMN recipient_lists.sha256 IS 'not personal: hash of the list';
COMMENT ON COLUMN recipient_lists.list IS 'not personal: names and public hosts of companies, as shown to every visitor';

-- Null for sessions of earlier releases, and where no process had said yet what it uses.
ALTER TABLE sessions ADD COLUMN recipients_sha256 bytea CHECK (length(recipients_sha256) = 32);

COMMENT ON COLUMN sessions.recipients_sha256 IS 'not personal: hash of the list of recipients that visitors could read then';
