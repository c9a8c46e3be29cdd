-- Mails are counted per mailbox over all accounts: a victim's inbox does not care which customer's agent was misused.
CREATE INDEX follow_ups_of_mailbox ON follow_ups (address_mark, finished_at) WHERE state IN ('sending', 'sent', 'unknown');
DROP INDEX follow_ups_of_address;
COMMENT ON COLUMN follow_ups.address_mark IS 'personal: keyed hash of the mailbox, to count mails to one person · until erasure, at the latest the account''s retention · nobody but the server';
