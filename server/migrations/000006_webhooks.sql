-- Webhooks: who is told, of what, and what came of it. These tables are the truth; the queue only runs them.

CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY CHECK (id ~ '^hook_[a-z0-9]{22}$'),
  account_id integer NOT NULL REFERENCES accounts,
  url text NOT NULL,
  -- NULL: of every agent of the account.
  agent_ids text[] CHECK (agent_ids <> '{}'),
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'paused', 'removed')),
  -- Sealed under a key of the configuration.
  secret text NOT NULL,
  -- While a secret is rotated both sign.
  previous_secret text,
  previous_until timestamptz(3),
  -- After the next success, what was exhausted is sent again.
  replay_exhausted boolean NOT NULL DEFAULT false,
  -- When the account's contact was last told of exhausted deliveries.
  noticed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id) WHERE state <> 'removed';

-- The exact bytes of an event, written once, with the evaluation that it tells of.
CREATE TABLE webhook_events (
  -- Receivers see it: a running number would tell them how many others there are.
  id uuid PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  version integer NOT NULL,
  at timestamptz(3) NOT NULL,
  body bytea NOT NULL,
  UNIQUE (session_id, version)
);
CREATE INDEX webhook_events_at ON webhook_events (at);

-- One event for one endpoint.
--   waiting ─► running ─► delivered | exhausted | orphaned | waiting again, until `due_at`
-- `running` has a job and takes one of the endpoint's slots. `cancelled`: the endpoint was removed.
CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  event_id uuid NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
  session_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'running', 'delivered', 'exhausted', 'orphaned', 'cancelled')),
  due_at timestamptz(3) NOT NULL,
  -- Recorded outcomes, and tries that a crash of ours cut short.
  attempts smallint NOT NULL DEFAULT 0,
  orphans smallint NOT NULL DEFAULT 0,
  replay_of bigint,
  -- A later delivery of the same session to the same endpoint exists. This one is history: it counts as failed no more
  -- and is never sent again, because older data would arrive over newer.
  followed boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  CHECK ((finished_at IS NULL) = (state IN ('waiting', 'running')))
);
-- What the dispatcher reads. Retries are due at a time; those that never ran were due when written.
CREATE INDEX deliveries_waiting ON deliveries (endpoint_id, due_at) WHERE state = 'waiting';
-- Retries go first, however many others are due.
CREATE INDEX deliveries_retrying ON deliveries (endpoint_id, due_at) WHERE state = 'waiting' AND attempts > 0;
CREATE INDEX deliveries_running ON deliveries (endpoint_id) WHERE state = 'running';
-- Deliveries of one session to one endpoint follow each other.
CREATE INDEX deliveries_line ON deliveries (endpoint_id, session_id, id) WHERE finished_at IS NULL;
-- What failed and still matters.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, finished_at) WHERE state IN ('exhausted', 'orphaned') AND NOT followed;
-- What the operator lists, entered once per delivery.
CREATE INDEX deliveries_finished ON deliveries (endpoint_id, id) WHERE finished_at IS NOT NULL;
CREATE INDEX deliveries_event ON deliveries (event_id);

CREATE TABLE delivery_attempts (
  delivery_id bigint NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  attempt smallint NOT NULL CHECK (attempt BETWEEN 1 AND 3),
  started_at timestamptz(3) NOT NULL,
  took_ms integer NOT NULL,
  -- `answered`, or the class of the failure.
  outcome text NOT NULL,
  status smallint,
  detail text,
  -- The first bytes of the answer.
  answer bytea,
  PRIMARY KEY (delivery_id, attempt)
);
