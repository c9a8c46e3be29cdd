-- When an operator said that this database was restored from a backup. Mails about earlier sessions may have been sent by
-- what was lost, so none is sent for them any more.
CREATE TABLE restores (
    at timestamptz(3) PRIMARY KEY DEFAULT date_trunc('milliseconds', clock_timestamp())
);
