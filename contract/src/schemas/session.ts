import * as z from "zod";
import type * as types from "../types/index.ts";
import { dictionary } from "./dictionary.ts";
import { Evaluation } from "./evaluation.ts";
import { schemaOf } from "./schema-of.ts";
import { text, timestamp } from "./wire-values.ts";

export const Metadata: z.ZodType<types.Metadata> = schemaOf<types.Metadata>()(
  dictionary(z.string()),
);

export const TranscriptEntry: z.ZodType<types.TranscriptEntry> = schemaOf<types.TranscriptEntry>()(
  z.strictObject({
    role: z.enum(["user", "assistant"]),
    content: text,
    interrupted: z.literal(true).exactOptional(),
  }),
);

const session = z.strictObject({
  id: z.uuid(),
  agent_id: text,
  status: z.enum(["active", "abandoned", "processed", "error"]),
  metadata: Metadata.exactOptional(),
  transcript: z.array(TranscriptEntry).min(1).exactOptional(),
  summary: text.exactOptional(),
  evaluation: Evaluation.exactOptional(),
  email: text.exactOptional(),
  email_verified: z.boolean().exactOptional(),
  duration_secs: z.int().min(0).exactOptional(),
  created_at: timestamp,
});

export const Session: z.ZodType<types.Session> = schemaOf<types.Session>()(session);

export const SelectedSession: z.ZodType<types.SelectedSession> = schemaOf<types.SelectedSession>()(
  session.exactPartial(),
);
