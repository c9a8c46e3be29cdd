import type { Counts } from "./counters.ts";
import type { Fault } from "./fault.ts";
import { readEvent } from "./read-event.ts";
import type { ReceivedEvent } from "./read-event.ts";
import type { ReceivedRequest } from "./received-request.ts";
import type { ReceiverParts } from "./receive.ts";

export interface Addresses {
  url: string;
  secureUrl?: string;
}

/** What the page shows. */
export interface View extends Addresses {
  /** The page sends it back, and hears nothing while it stays. */
  version: number;
  secrets: number;
  counts: Counts;
  faults: (Fault & { hits: number })[];
  /** Newest first. */
  requests: (ReceivedRequest & { event?: ReceivedEvent | { problem: string } })[];
}

export function viewOf(
  { log, keyring, switches }: ReceiverParts,
  addresses: Addresses,
  most: number,
): View {
  const counts = log.counters.read();
  const requests = log.after(counts.total - most).toReversed();
  return {
    version: log.counters.version,
    ...addresses,
    secrets: keyring.size,
    counts,
    faults: switches.list(),
    requests: requests.map((request) => {
      const body = log.content(request.number)?.body;
      return { ...request, ...(body !== undefined && { event: readEvent(body) }) };
    }),
  };
}
