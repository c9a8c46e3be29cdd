import type { FoundSession, QualificationStatus } from "@svc/contract/types";
import type { Tone } from "./ui.tsx";

/** The words and the sign for a state of a session. */
export interface Named {
  name: string;
  tone: Tone;
}

export const VERDICTS: Record<QualificationStatus, Named> = {
  qualified: { name: "Qualified", tone: "good" },
  disqualified: { name: "Not a fit", tone: "quiet" },
  not_enough_data: { name: "Not enough", tone: "warn" },
};

export const STATUSES: Record<FoundSession["status"], Named> = {
  active: { name: "Going on", tone: "warn" },
  abandoned: { name: "Said nothing", tone: "quiet" },
  processed: { name: "Evaluated", tone: "good" },
  error: { name: "Not evaluated", tone: "bad" },
};

export const ARRIVALS: Record<NonNullable<FoundSession["delivery"]>, Named> = {
  delivered: { name: "Delivered", tone: "good" },
  under_way: { name: "Under way", tone: "warn" },
  failed: { name: "Failed", tone: "bad" },
};
