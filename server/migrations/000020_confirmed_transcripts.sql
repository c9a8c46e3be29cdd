-- Whether a mail's link shows what was said only after the reader confirmed, by a second link, that it was them: the visitor may
-- have typed a stranger's address. Mails of before had no second link, so theirs keeps showing everything.
ALTER TABLE accounts ADD COLUMN confirm_transcript boolean NOT NULL DEFAULT true;
ALTER TABLE follow_ups
  ADD COLUMN needs_confirmation boolean NOT NULL DEFAULT false,
  ADD COLUMN confirmed_at timestamptz(3);
