import type { MetadataLimits, ReturnWithinSecs } from "./types/index.ts";

/** Above these limits a session is refused: metadata is never shortened silently. */
export const METADATA_LIMITS: MetadataLimits = {
  keys: 64,
  valueBytes: 8_192,
  totalBytes: 32_768,
  depth: 32,
};

/** A visitor who is away for longer cannot come back to the conversation: the server ends it. */
export const RETURN_WITHIN_SECS: ReturnWithinSecs = 60;
