import * as z from "zod";
import type * as types from "../types/index.ts";
import { schemaOf } from "./schema-of.ts";
import { Session } from "./session.ts";
import { timestamp } from "./wire-values.ts";

export const SessionEvaluatedEvent: z.ZodType<types.SessionEvaluatedEvent> =
  schemaOf<types.SessionEvaluatedEvent>()(
    z.strictObject({
      event_type: z.literal("session.evaluated"),
      timestamp: timestamp.refine((stamp) => stamp.includes("."), "expected fractional seconds"),
      data: Session,
    }),
  );
