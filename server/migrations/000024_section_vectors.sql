-- What the sections of an agent's knowledge mean, as an embedding model says it. A section is named by the hash of its text, so
-- that a new version asks only for those that changed.
CREATE TABLE section_vectors (
  file_sha256 bytea NOT NULL REFERENCES agent_files ON DELETE CASCADE,
  model text NOT NULL,
  text_sha256 bytea NOT NULL,
  -- 32-bit numbers, the lowest byte first.
  vector bytea NOT NULL,
  PRIMARY KEY (file_sha256, model, text_sha256)
);
ALTER TABLE section_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

COMMENT ON COLUMN section_vectors.file_sha256 IS 'not personal: hash of a file';
COMMENT ON COLUMN section_vectors.model IS 'not personal: the name of a model';
COMMENT ON COLUMN section_vectors.text_sha256 IS 'not personal: hash of a section';
COMMENT ON COLUMN section_vectors.vector IS 'not personal: what the customer wrote for its agent, as numbers';
