-- One row per server process of any role, renewed every few seconds and removed at a clean stop. A
-- row that is not renewed is of a process that died. `live_processes` stays what conversations rely on.
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('api', 'live', 'pipeline', 'all')),
  version text NOT NULL,
  instance text NOT NULL,
  pid integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  renewed_at timestamptz(3) NOT NULL,
  -- Takes no new work: it is stopping.
  draining boolean NOT NULL,
  -- Its load. Null where the process does no such work.
  sessions integer,
  capacity integer,
  jobs integer,
  job_slots integer,
  requests_per_sec real
) WITH (fillfactor = 50);

COMMENT ON COLUMN processes.role IS 'not personal: what the process runs';
COMMENT ON COLUMN processes.version IS 'not personal: the release that it runs';
COMMENT ON COLUMN processes.instance IS 'not personal: the name of the process in logs and traces';

-- The W3C trace context of the request that started the session. Its conversation, evaluation and
-- deliveries continue that trace. Null where nothing is traced.
ALTER TABLE sessions ADD COLUMN traceparent text;

COMMENT ON COLUMN sessions.traceparent IS 'not personal: random ids of a trace';
