import { LiveClientMessage } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";

/** The message in a text frame, or undefined when it is none of this protocol. */
export function readFrame(frame: string): types.LiveClientMessage | undefined {
  const message = LiveClientMessage.safeParse(parseOrNothing(frame));
  return message.success ? message.data : undefined;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
