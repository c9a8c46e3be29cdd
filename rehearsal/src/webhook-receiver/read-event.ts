import { Mistake, oneOf, openObject, optional, text } from "../shape.ts";

/** What a person wants to know of an event at a glance. */
export interface ReceivedEvent {
  sessionId: string;
  /** When the evaluation was written. */
  timestamp: string;
  status: string;
  qualification?: string;
  summary?: string;
}

interface WireSession {
  id: string;
  status: string;
  summary?: string;
  evaluation?: { qualification?: { status: string } };
}

const wireEvent = openObject({
  event_type: oneOf("session.evaluated"),
  timestamp: text,
  data: openObject<WireSession>({
    id: text,
    status: text,
    summary: optional(text),
    evaluation: optional(
      openObject<NonNullable<WireSession["evaluation"]>>({
        qualification: optional(openObject({ status: text })),
      }),
    ),
  }),
});

/** The event in a body, or in words why there is none. */
export function readEvent(body: Buffer): ReceivedEvent | { problem: string } {
  try {
    const { timestamp, data } = wireEvent(JSON.parse(body.toString()), "");
    const qualification = data.evaluation?.qualification?.status;
    return {
      sessionId: data.id,
      timestamp,
      status: data.status,
      ...(qualification !== undefined && { qualification }),
      ...(data.summary !== undefined && { summary: data.summary }),
    };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    if (error instanceof SyntaxError) return { problem: "the body is not JSON" };
    throw error;
  }
}
