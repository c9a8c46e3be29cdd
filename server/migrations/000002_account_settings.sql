-- What the operator decides for each account, and how people find a session among many.

-- An agent that has an owner: without it a default agent could be another account's.
ALTER TABLE agents ADD CONSTRAINT agents_owner UNIQUE (account_id, id);

ALTER TABLE accounts
  -- Who starts with the client id alone talks to this agent.
  ADD COLUMN default_agent_id text,
  -- Where mail about this account goes, such as deliveries that failed for good.
  ADD COLUMN contact_email text,
  ADD COLUMN retention_days integer NOT NULL DEFAULT 365 CHECK (retention_days BETWEEN 1 AND 3650),
  -- Whether prospects are mailed a summary.
  ADD COLUMN follow_up boolean NOT NULL DEFAULT false,
  -- Only what differs from the service's own limits; null lifts a limit.
  ADD COLUMN limits jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(limits) = 'object'),
  ADD CONSTRAINT accounts_default_agent FOREIGN KEY (id, default_agent_id) REFERENCES agents (account_id, id);

-- The few that people look for among many: without it, a search for failures reads the whole account.
CREATE INDEX sessions_set_apart ON sessions (account_id, created_at) WHERE test OR status = 'error';
