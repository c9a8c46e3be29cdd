import * as z from "zod";
import { Mistake, readJson } from "../read-value.ts";

/** What a person wants to know of an event at a glance. */
export interface ReceivedEvent {
  sessionId: string;
  /** When the evaluation was written. */
  timestamp: string;
  status: string;
  qualification: string | undefined;
  summary: string | undefined;
}

const wireEvent = z.object({
  event_type: z.literal("session.evaluated"),
  timestamp: z.string(),
  data: z.object({
    id: z.string(),
    status: z.string(),
    summary: z.string().optional(),
    evaluation: z.object({ qualification: z.object({ status: z.string() }).optional() }).optional(),
  }),
});

/** The event in a body, or in words why there is none. */
export function readEvent(body: Buffer): ReceivedEvent | { problem: string } {
  try {
    const { timestamp, data } = readJson(wireEvent, body);
    return {
      sessionId: data.id,
      timestamp,
      status: data.status,
      qualification: data.evaluation?.qualification?.status,
      summary: data.summary,
    };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    if (error instanceof SyntaxError) return { problem: "the body is not JSON" };
    throw error;
  }
}
