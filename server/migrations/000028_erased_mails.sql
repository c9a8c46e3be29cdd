-- Mails of a day whose sessions were erased. They still count: somebody who deletes what they never said
-- would otherwise be mailed as often again.
CREATE TABLE erased_mails (
  account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  address_mark bytea NOT NULL CHECK (length(address_mark) = 32),
  visitor text,
  mailed_at timestamptz(3) NOT NULL
);
CREATE INDEX erased_mails_of_mailbox ON erased_mails (address_mark);
CREATE INDEX erased_mails_of_account ON erased_mails (account_id);

COMMENT ON COLUMN erased_mails.address_mark IS 'personal: keyed hash of the mailbox, to count mails to one person · a day after the mail · nobody but the server';
COMMENT ON COLUMN erased_mails.visitor IS 'personal: network address of the conversation, to count mails of one visitor · a day after the mail · nobody but the server';
