-- How a conversation stands beside its turns: what is on the visitor's screen, and the agent's turn that is under way. A process
-- that takes the conversation over goes on from it. Removed when the conversation ends.
ALTER TABLE visits ADD COLUMN scene jsonb;
COMMENT ON COLUMN visits.scene IS 'personal: what is on the screen of a visitor who talks, and the agent''s unfinished turn · until the conversation ends · nobody but the server';
