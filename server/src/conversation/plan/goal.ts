/** What one turn of the agent is for. The server chooses it; the model finds the words. */
export type Goal =
  | { kind: "greet" }
  | { kind: "answer" }
  | { kind: "ask"; key: string; text: string }
  | { kind: "show"; id: string; title: string }
  | { kind: "offer_email" }
  | { kind: "wrap_up"; because: "done" }
  | { kind: "pick_up" };

/** What the server made of the visitor's last turn. A hint for the model, no verdict. */
export type VisitorKind =
  | "question"
  | "statement"
  | "hostile"
  | "off_topic"
  | "asks_if_human"
  | "none";

/**
 * Of the card for an address. `open`: it is on the screen. `kept`: it was to correct an address, and
 * was closed, so that the address stays.
 */
export type EmailCardState = "open" | "confirmed" | "declined" | "kept";

/** `unknown`: nobody has asked for an address. */
export type EmailState = "unknown" | "open" | "confirmed" | "declined";

/** Where a demo stands, as the model is told. */
export interface PlanState {
  visitor: VisitorKind;
  /** Keys of the questions that were heard. */
  asked: string[];
  answered: string[];
  /** Ids of the content that was shown. */
  shown: string[];
  email: EmailState;
  /** `follows`: a mail is sent after the conversation, once there is a confirmed address. */
  mail: "follows" | "none";
}

/** A turn of the agent has at most this many words. */
export const MOST_WORDS = 45;
