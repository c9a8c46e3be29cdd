-- What a conversation needs: how it was started, who carries it, and what it costs.

ALTER TABLE sessions
  ADD COLUMN language text,
  ADD COLUMN mode text CHECK (mode IN ('voice', 'text')),
  -- Where the visitor was, and what they accepted there: the hash of the notice's text, its language, the time of the click.
  ADD COLUMN page text,
  ADD COLUMN notice_sha256 bytea CHECK (length(notice_sha256) = 32),
  ADD COLUMN notice_language text,
  ADD COLUMN notice_at timestamptz(3),
  -- Models and speech, in millionths of the currency that they are paid in; evaluations keep their own.
  ADD COLUMN cost_micros bigint NOT NULL DEFAULT 0;

-- What counts against "at once": a handful of rows, whatever the size of the table.
CREATE INDEX sessions_talking ON sessions (agent_id) WHERE ended_at IS NULL;

-- One row per `live` process, renewed every few seconds. A process whose row is old is dead, and
-- so are its conversations.
CREATE TABLE live_processes (
  id uuid PRIMARY KEY,
  started_at timestamptz(3) NOT NULL,
  renewed_at timestamptz(3) NOT NULL,
  sessions integer NOT NULL,
  capacity integer NOT NULL,
  -- Takes no new sessions: it is stopping.
  draining boolean NOT NULL DEFAULT false,
  -- Whether its language model answers.
  model_answers boolean NOT NULL
);

-- A start, for 24 hours: what makes the same key the same session, what limits are counted from,
-- and who may open the session's socket. Only hashes of tickets and tokens are kept.
CREATE TABLE visits (
  session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  account_id integer NOT NULL,
  agent_id text NOT NULL,
  start_key uuid NOT NULL,
  -- Of the request, so that the same key with another body is told apart.
  request_sha256 bytea NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  -- The visitor's address as limits count it: IPv4 whole, IPv6 by its /64.
  address text NOT NULL,
  test_reason text CHECK (test_reason IN ('test_origin', 'preview_token')),
  ticket_hash bytea,
  ticket_until timestamptz(3),
  resume_hash bytea,
  -- Which `live` process carries it. Each takeover counts one up, and a write with an older number is refused.
  epoch integer NOT NULL DEFAULT 0,
  process_id uuid,
  UNIQUE (agent_id, start_key)
);
CREATE INDEX visits_address ON visits (account_id, address, started_at);
CREATE INDEX visits_process ON visits (process_id) WHERE process_id IS NOT NULL;
CREATE INDEX visits_started ON visits (started_at);

-- What an agent has used on a day (UTC), for its daily caps.
CREATE TABLE agent_days (
  agent_id text NOT NULL REFERENCES agents,
  day date NOT NULL,
  starts integer NOT NULL DEFAULT 0,
  cost_micros bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, day)
) WITH (fillfactor = 50);

-- What a session used, by model.
CREATE TABLE session_usage (
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  model text NOT NULL,
  requests integer NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  seconds double precision NOT NULL DEFAULT 0,
  cost_micros bigint NOT NULL,
  PRIMARY KEY (session_id, model)
);

-- How many people came how far. No address, no id.
CREATE TABLE funnel_counts (
  agent_id text NOT NULL REFERENCES agents,
  day date NOT NULL,
  event text NOT NULL,
  origin text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (agent_id, day, event, origin)
);

-- Knowledge by its sections, for agents whose knowledge is too large for a prompt.
CREATE TABLE knowledge_sections (
  sha256 bytea NOT NULL REFERENCES agent_files ON DELETE CASCADE,
  section integer NOT NULL,
  heading text NOT NULL,
  body text NOT NULL,
  -- By the rules of every language that a search may be in: making them anew for each search takes a second.
  words tsvector NOT NULL GENERATED ALWAYS AS (
    to_tsvector('simple', heading || ' ' || body)
    || to_tsvector('english', heading || ' ' || body)
    || to_tsvector('german', heading || ' ' || body)
    || to_tsvector('french', heading || ' ' || body)
    || to_tsvector('spanish', heading || ' ' || body)
  ) STORED,
  PRIMARY KEY (sha256, section)
);
