-- Mail to prospects, who wants none, and the receipts of what was erased.

-- At most one mail for a session, whatever happens: the row is the permission to send it.
--   waiting ─► sending ─► sent | refused | unknown | waiting again, until `due_at`
-- `sending` is committed before the mail server is spoken to. Whoever finds it there after a crash writes `unknown`
-- and never sends again: the mail may have arrived. `skipped` was decided before anything was sent.
CREATE TABLE follow_ups (
  session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  account_id integer NOT NULL REFERENCES accounts,
  -- The keyed hash of the address: counts mails to one person without keeping who that is.
  address_mark bytea NOT NULL CHECK (length(address_mark) = 32),
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sending', 'sent', 'refused', 'unknown', 'skipped')),
  -- Why it was skipped, refused, or what the mail server said last. Never holds an address.
  reason text,
  -- Conversations with a mail server that were begun.
  attempts smallint NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  -- No attempt begins after it.
  give_up_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  CHECK ((finished_at IS NULL) = (state IN ('waiting', 'sending')))
);
CREATE INDEX follow_ups_of_address ON follow_ups (account_id, address_mark, finished_at) WHERE state IN ('sending', 'sent', 'unknown');
CREATE INDEX follow_ups_of_account ON follow_ups (account_id, created_at);

-- Who wants no mail of an account any more. Outlives the erasure of the person: the objection must still be honoured.
CREATE TABLE mail_suppressions (
  account_id integer NOT NULL REFERENCES accounts,
  address_mark bytea NOT NULL CHECK (length(address_mark) = 32),
  at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  -- `unsubscribed`: by the link in a mail. `operator`: by command.
  source text NOT NULL CHECK (source IN ('unsubscribed', 'operator')),
  PRIMARY KEY (account_id, address_mark)
);

-- That something was erased, when, how much and on whose word; never of whom.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  account_id integer REFERENCES accounts,
  at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  -- What was asked for.
  scope text NOT NULL CHECK (scope IN ('person', 'session', 'retention')),
  -- `operator:name`, `person` (by the link in a mail) or `retention`.
  asked_by text NOT NULL,
  sessions integer NOT NULL,
  deliveries_cancelled integer NOT NULL
);
CREATE INDEX erasures_account ON erasures (account_id, at);
-- One receipt for each account and day in UTC, however many batches retention takes.
CREATE UNIQUE INDEX erasures_retention_day ON erasures (account_id, ((at AT TIME ZONE 'UTC')::date)) WHERE scope = 'retention';

-- Erasure by address, in whatever account.
CREATE INDEX sessions_email ON sessions (email) WHERE email IS NOT NULL;
-- An imported session may name its person in metadata only, or another than in `email`. Cut, because an
-- index takes no value of 8 KB.
CREATE FUNCTION metadata_email(metadata json) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT left(lower(btrim(metadata ->> 'email')), 300) $$;
CREATE INDEX sessions_metadata_email ON sessions (metadata_email(metadata)) WHERE metadata_email(metadata) IS DISTINCT FROM email;

-- The data map: of every column that can hold text, whether it is about a person; then why it is kept, how long,
-- and who sees it. docs/reference/data-map.md is made from it.
COMMENT ON COLUMN accounts.client_id IS 'not personal: the account''s public identifier';
COMMENT ON COLUMN accounts.name IS 'not personal: the customer''s company';
COMMENT ON COLUMN accounts.export_mode IS 'not personal: a setting';
COMMENT ON COLUMN accounts.default_agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN accounts.contact_email IS 'personal: where mail about the account goes · until the operator changes it · the operator, and the mail server';
COMMENT ON COLUMN accounts.limits IS 'not personal: settings';
COMMENT ON COLUMN agent_days.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN agent_files.sha256 IS 'not personal: hash of a file';
COMMENT ON COLUMN agent_files.bytes IS 'not personal: what the customer wrote for its agent';
COMMENT ON COLUMN agent_version_files.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN agent_version_files.path IS 'not personal: a file''s name';
COMMENT ON COLUMN agent_version_files.sha256 IS 'not personal: hash of a file';
COMMENT ON COLUMN agent_versions.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN agent_versions.config IS 'not personal: what the customer wrote for its agent';
COMMENT ON COLUMN agent_versions.created_by IS 'personal: which operator applied it · as long as the account · the operator';
COMMENT ON COLUMN agents.id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN agents.slug IS 'not personal: its short name';
COMMENT ON COLUMN agents.state IS 'not personal: live or paused';
COMMENT ON COLUMN audit.actor IS 'personal: which operator changed something, or `person` · as long as the account · the operator';
COMMENT ON COLUMN audit.action IS 'not personal: what kind of change';
COMMENT ON COLUMN audit.subject IS 'not personal: what was changed, a session by its id; of an erasure its receipt';
COMMENT ON COLUMN audit.detail IS 'not personal: settings before and after, counts';
COMMENT ON COLUMN deliveries.endpoint_id IS 'not personal: a receiver''s identifier';
COMMENT ON COLUMN deliveries.state IS 'not personal: how far it is';
COMMENT ON COLUMN delivery_attempts.outcome IS 'not personal: a class of outcome';
COMMENT ON COLUMN delivery_attempts.detail IS 'not personal: what went wrong on the way';
COMMENT ON COLUMN delivery_attempts.answer IS 'personal: what the receiver answered, which may repeat what it was sent · until erasure, at the latest 30 days after the delivery (SVC_DELIVERY_KEEP_DAYS) · the operator';
COMMENT ON COLUMN evaluations.state IS 'not personal: how far it is';
COMMENT ON COLUMN evaluations.model IS 'not personal: which model was asked';
COMMENT ON COLUMN evaluations.prompt_hash IS 'not personal: hash of the instructions, without the conversation';
COMMENT ON COLUMN evaluations.evaluation IS 'personal: what was concluded of the visitor, each version · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN evaluations.failure IS 'not personal: a class of failure';
COMMENT ON COLUMN evaluations.summary IS 'personal: the conversation in a paragraph, each version · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN evaluations.dropped IS 'personal: what the check of the evidence left out, for tuning · until erasure, at the latest the account''s retention · the operator';
COMMENT ON COLUMN funnel_counts.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN funnel_counts.event IS 'not personal: what is counted';
COMMENT ON COLUMN funnel_counts.origin IS 'not personal: the page''s site, without its path';
COMMENT ON COLUMN knowledge_sections.sha256 IS 'not personal: hash of a file';
COMMENT ON COLUMN knowledge_sections.heading IS 'not personal: what the customer wrote for its agent';
COMMENT ON COLUMN knowledge_sections.body IS 'not personal: what the customer wrote for its agent';
COMMENT ON COLUMN knowledge_sections.words IS 'not personal: the same, for searching';
COMMENT ON COLUMN preview_tokens.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN preview_tokens.hash IS 'not personal: hash of a token';
COMMENT ON COLUMN preview_tokens.label IS 'not personal: what the operator called it';
COMMENT ON COLUMN preview_tokens.created_by IS 'personal: which operator minted it · as long as the account · the operator';
COMMENT ON COLUMN session_events.kind IS 'not personal: what kind of event';
COMMENT ON COLUMN session_events.detail IS 'personal: tool calls, cards, addresses typed and ratings, to explain a conversation · until erasure, at the latest the account''s retention · the operator';
COMMENT ON COLUMN session_exports.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN session_exports.status IS 'not personal: how it ended';
COMMENT ON COLUMN session_exports.metadata IS 'personal: what the site passed along · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN session_exports.transcript IS 'personal: what was said, as it was heard · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN session_exports.summary IS 'personal: the conversation in a paragraph · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN session_exports.evaluation IS 'personal: what was concluded of the visitor · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN session_exports.email IS 'personal: the visitor''s address · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN session_usage.model IS 'not personal: which model or voice was used';
COMMENT ON COLUMN sessions.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN sessions.status IS 'not personal: how it ended';
COMMENT ON COLUMN sessions.end_reason IS 'not personal: a class of ends';
COMMENT ON COLUMN sessions.metadata IS 'personal: what the site passed along · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN sessions.email IS 'personal: the visitor''s address, for the follow-up mail and to find them again · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator, and the mail server';
COMMENT ON COLUMN sessions.error_reason IS 'not personal: a class of failure';
COMMENT ON COLUMN sessions.language IS 'personal: the visitor''s language · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';
COMMENT ON COLUMN sessions.mode IS 'not personal: voice or text';
COMMENT ON COLUMN sessions.page IS 'personal: where the visitor began, which may name them · until erasure, at the latest the account''s retention · the operator';
COMMENT ON COLUMN sessions.notice_sha256 IS 'not personal: hash of the notice''s text';
COMMENT ON COLUMN sessions.notice_language IS 'not personal: the notice''s language';
COMMENT ON COLUMN tokens.hash IS 'not personal: hash of a token';
COMMENT ON COLUMN tokens.label IS 'not personal: what the operator called it';
COMMENT ON COLUMN turns.item_id IS 'not personal: a number within the conversation';
COMMENT ON COLUMN turns.role IS 'not personal: who spoke';
COMMENT ON COLUMN turns.content IS 'personal: what was said, as it was heard · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator, and the model that answers';
COMMENT ON COLUMN visits.agent_id IS 'not personal: an agent''s identifier';
COMMENT ON COLUMN visits.request_sha256 IS 'not personal: hash of a start, to know it again';
COMMENT ON COLUMN visits.address IS 'personal: the visitor''s network (/64 for IPv6), for limits · until erasure, at the latest a day · nobody but the server';
COMMENT ON COLUMN visits.test_reason IS 'not personal: why it is a test';
COMMENT ON COLUMN visits.ticket_hash IS 'not personal: hash of a ticket';
COMMENT ON COLUMN visits.resume_hash IS 'not personal: hash of a token';
COMMENT ON COLUMN webhook_endpoints.id IS 'not personal: a receiver''s identifier';
COMMENT ON COLUMN webhook_endpoints.url IS 'not personal: the customer''s receiver';
COMMENT ON COLUMN webhook_endpoints.agent_ids IS 'not personal: agents'' identifiers';
COMMENT ON COLUMN webhook_endpoints.state IS 'not personal: live, paused or removed';
COMMENT ON COLUMN webhook_endpoints.secret IS 'not personal: the sealed secret';
COMMENT ON COLUMN webhook_endpoints.previous_secret IS 'not personal: the sealed secret before';
COMMENT ON COLUMN webhook_events.body IS 'personal: the session object as it is sent · until erasure, at the latest 30 days after its deliveries (SVC_DELIVERY_KEEP_DAYS) · the customer by export and webhook, the operator';
COMMENT ON COLUMN follow_ups.address_mark IS 'personal: keyed hash of the address, to count mails to one person · until erasure, at the latest the account''s retention · nobody but the server';
COMMENT ON COLUMN follow_ups.state IS 'not personal: how far it is';
COMMENT ON COLUMN follow_ups.reason IS 'not personal: a class of reason, or what the mail server said without addresses';
COMMENT ON COLUMN mail_suppressions.address_mark IS 'personal: keyed hash of an address that wants no mail · until the operator allows it again; it outlives erasure, because the objection must be honoured · nobody but the server';
COMMENT ON COLUMN mail_suppressions.source IS 'not personal: who asked for it';
COMMENT ON COLUMN erasures.scope IS 'not personal: what was asked for';
COMMENT ON COLUMN erasures.asked_by IS 'personal: which operator erased, or `person` or `retention` · as long as the account · the operator';
