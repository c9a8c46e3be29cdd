-- Whether a `live` process can hear and speak right now: visitors are offered voice while one can.
ALTER TABLE live_processes
  ADD COLUMN speech_answers boolean NOT NULL DEFAULT false;
