-- How well a process carries its calls. Null for processes without calls, and for those of an earlier release.
ALTER TABLE processes
  ADD COLUMN loop_delay_ms real,
  ADD COLUMN memory_share real,
  ADD COLUMN busy text CHECK (busy IN ('event_loop', 'memory'));

COMMENT ON COLUMN processes.busy IS 'not personal: what the process is short of';
