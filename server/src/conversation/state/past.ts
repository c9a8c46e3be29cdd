import type { LivePlaceResult } from "@svc/contract/types";
import { z } from "zod";
import type { LoggedEvent } from "../conversation.ts";

/** What an earlier part of the conversation had reached. */
export interface PastState {
  /** One after another: what was shown, and what became of places. */
  shown: { id: string; state: LivePlaceResult["state"] }[];
  /** One after another. */
  emailCards: EmailCardState[];
  /** Keys of questions. */
  heard: string[];
  answered: string[];
  /** The one that the agent has followed the visitor into. */
  language: string | undefined;
}

/**
 * Of the card for an address. `open`: it is on the screen. `kept`: it was to correct an address, and
 * was closed, so that the address stays.
 */
export type EmailCardState = "open" | "confirmed" | "declined" | "kept";

/** Reads what the state told the operator's log; events of others are passed over. */
export function readPast(events: readonly LoggedEvent[]): PastState {
  const past: PastState = {
    shown: [],
    emailCards: [],
    heard: [],
    answered: [],
    language: undefined,
  };
  for (const { data } of events.map((event) => stateEvent.safeParse(event))) {
    if (data?.kind === "content_shown") past.shown.push({ id: data.detail.id, state: "shown" });
    if (data?.kind === "place") past.shown.push(data.detail);
    if (data?.kind === "email_card") past.emailCards.push(data.detail.state);
    if (data?.kind === "question_heard") past.heard.push(data.detail.key);
    if (data?.kind === "question_answered") past.answered.push(data.detail.key);
    if (data?.kind === "direction") past.language = canonicalLanguage(data.detail.value);
  }
  return past;
}

const stateEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("content_shown"), detail: z.object({ id: z.string() }) }),
  z.object({
    kind: z.literal("place"),
    detail: z.object({
      id: z.string(),
      state: z.enum(["shown", "missing", "declined", "gone"]),
    }),
  }),
  z.object({
    kind: z.literal("email_card"),
    detail: z.object({ state: z.enum(["open", "confirmed", "declined", "kept"]) }),
  }),
  z.object({
    kind: z.literal("question_heard"),
    detail: z.object({ key: z.string() }),
  }),
  z.object({ kind: z.literal("question_answered"), detail: z.object({ key: z.string() }) }),
  z.object({
    kind: z.literal("direction"),
    detail: z.object({ name: z.literal("language"), value: z.string(), done: z.literal(true) }),
  }),
]);

/** Undefined for what is no language code. */
export function canonicalLanguage(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}
