-- A new secret of an endpoint that does not sign X-Webhook-Signature yet: its receiver has to learn it first.
ALTER TABLE webhook_endpoints
  ADD COLUMN staged_secret text,
  ADD COLUMN staged_at timestamptz(3),
  ADD CHECK ((staged_secret IS NULL) = (staged_at IS NULL));

-- Why a delivery that was due could not be attempted, such as a key that is missing. It waits and is tried again; no
-- attempt is counted, because nothing was sent.
ALTER TABLE deliveries
  ADD COLUMN held_because text;

COMMENT ON COLUMN webhook_endpoints.staged_secret IS 'not personal: the sealed secret to come';
COMMENT ON COLUMN deliveries.held_because IS 'not personal: what is missing here, such as a key';
