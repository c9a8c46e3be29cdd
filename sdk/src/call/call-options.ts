import type { AgentFacts, CallWords, FunnelEntry, Words } from "@svc/contract/types";
import type { emit } from "../core/events.ts";
import type { Dress } from "../core/face.ts";
import type { Kit } from "../core/kit.ts";
import type { Service } from "../core/service.ts";
import type { Numbered } from "./live-connection.ts";

export interface CallOptions {
  service: Service;
  agent: AgentFacts;
  /** As encoded, or the name of the key that could not be. */
  metadata: Record<string, string> | string;
  /** Those that the visitor wants, best first. */
  languages: readonly string[];
  /** `SvcConfig.recordingNotice` as the page has set it, in place of the agent's notice. */
  notice: unknown;
  /** Goes on with the call that the page before has left. */
  resume: boolean;
  /** What opened the demo; not known of a call that goes on. */
  entry: FunnelEntry | undefined;
  kit: Kit;
  dress: Dress;
  emit: typeof emit;
  onClosed: () => void;
}

/** A session to talk in: just started, with a ticket, or one that the page before has left. */
export interface CallSession {
  sessionId: string;
  liveUrl: string;
  ticket?: string;
  resumeToken?: string;
  test: boolean;
  /** The notice that the visitor has accepted. */
  notice: string;
  /** What the page before may not have got rid of. */
  unsent?: Numbered[];
  /** What the visitor had begun to write. */
  draft?: string;
  /** The browser plays no sound on this page before a tap: makes the button for talking say so. */
  askForTap?: ((button: HTMLElement) => void) | undefined;
}

/** Our texts in the language of a call. */
export interface Texts {
  strings: CallWords;
  /** Loaded with the first chunk that shows them. */
  later(): Promise<LaterWords>;
}

/** What is not needed before the agent's first words. */
export type LaterWords = Pick<Words, "cards" | "microphone" | "content" | "preview">;
