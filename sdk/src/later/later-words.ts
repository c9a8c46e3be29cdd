import type { LiveEndReason } from "@svc/contract/types";
import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";

const WORDS: Record<Reviewed, LaterWords> = { en, de, fr, es };

export function laterWords(language: string): LaterWords {
  return WORDS[reviewed(language)];
}

/** What a visitor reads once the conversation has begun. `{…}` is filled in. */
export interface LaterWords {
  timeWarning: string;
  idleWarning: string;

  personText: string;
  emailTitle: string;
  emailHelp: string;
  emailLabel: string;
  emailConfirm: string;
  emailDismiss: string;
  emailInvalid: string;
  emailDone: string;
  microphone: string;
  testSession: string;

  /** Why the conversation ended. */
  reasons: Record<LiveEndReason, string>;
  title: string;
  nextWithEmail: string;
  nextWithoutEmail: string;
  copy: string;
  copied: string;
  /** The browser has refused it. */
  notCopied: string;
  rate: string;
  stars: string;
  rated: string;
  close: string;
  again: string;

  /** What is said when no call can be had, and what can be done. */
  trouble: Record<
    | "agent_unknown"
    | "agent_paused"
    | "origin_not_allowed"
    | "at_capacity"
    | "too_many_starts"
    | "daily_cap"
    | "service_unavailable"
    | "offline"
    | "elsewhere"
    | "moved",
    string
  >;
  troubleTitle: string;
}
