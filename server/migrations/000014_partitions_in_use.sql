-- A conversation may write into the default partition while its day is made: in a fresh database, or after maintenance was
-- late. Its row would be checked against a partition that has become another's, and refused. Writers wait for a moment instead,
-- and where they keep the log busy for longer, the day is made by the next run. Days to come have no writers.
CREATE OR REPLACE FUNCTION make_log_partitions(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  log text;
  partition text;
  first_at text := day::text || ' 00:00:00+00';
  end_at text := (day + 1)::text || ' 00:00:00+00';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_log_partitions'));
  FOREACH log IN ARRAY ARRAY['turns', 'session_events'] LOOP
    partition := log || to_char(day, '"_"YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    IF day <= (now() AT TIME ZONE 'UTC')::date THEN
      PERFORM set_config('lock_timeout', '500ms', true);
      EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', log);
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, log);
    EXECUTE format('WITH early AS (DELETE FROM %I WHERE session_at >= %L AND session_at < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
      log || '_default', first_at, end_at, partition);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, partition, first_at, end_at);
  END LOOP;
END
$$;
