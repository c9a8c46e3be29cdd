-- What a version is made of beside its settings, and who may try it before visitors do.

-- Knowledge and content, kept once under their hash however many versions use them.
CREATE TABLE agent_files (
  sha256 bytea PRIMARY KEY CHECK (sha256 = sha256(bytes)),
  bytes bytea NOT NULL
);
-- Pictures and films are compressed already: trying again costs time and saves nothing.
ALTER TABLE agent_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TRIGGER agent_files_are_immutable BEFORE UPDATE ON agent_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- json, not jsonb: people read it, in the order in which the agent's author thinks.
ALTER TABLE agent_versions ALTER COLUMN config TYPE json;
ALTER TABLE agent_versions ADD COLUMN created_by text NOT NULL DEFAULT 'unknown';
ALTER TABLE agent_versions ALTER COLUMN created_by DROP DEFAULT;

-- Keeps a file for as long as a version names it.
CREATE TABLE agent_version_files (
  agent_id text NOT NULL,
  version integer NOT NULL,
  path text NOT NULL,
  sha256 bytea NOT NULL REFERENCES agent_files,
  PRIMARY KEY (agent_id, version, path),
  FOREIGN KEY (agent_id, version) REFERENCES agent_versions
);
-- To find files that nothing names any more.
CREATE INDEX agent_version_files_sha256 ON agent_version_files (sha256);

-- The version that new sessions run.
ALTER TABLE agents
  ADD COLUMN current_version integer,
  ADD CONSTRAINT agents_current_version FOREIGN KEY (id, current_version) REFERENCES agent_versions;
UPDATE agents SET current_version =
  (SELECT max(version) FROM agent_versions WHERE agent_versions.agent_id = agents.id);

-- Who holds one starts test sessions from any page until it expires.
CREATE TABLE preview_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id text NOT NULL REFERENCES agents,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  label text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  created_by text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX preview_tokens_agent ON preview_tokens (agent_id);
