import { RETURN_WITHIN_SECS } from "@svc/contract/limits";
import type {
  Conversation,
  ConversationListener,
  ConversationVoice,
  DemoAgent,
  Speech,
} from "#conversation";
import type { Clock, Db, JobSender, Log } from "#platform";
import type { ClaimedSession, LiveUsage } from "#sessions";
import type { LiveMetrics } from "../metrics.ts";

/** Every wait of a call, so that a test need not wait as long. */
export interface CallTimes {
  /** How often the browser says that it is there; silent for three of these, it is lost. */
  pingMs: number;
  /** A visitor who is away for longer is given up. */
  returnWithinMs: number;
  /** For a browser to say where its sound stopped: a round trip, with room to spare. */
  stoppedWithinMs: number;
  /** In text nobody does anything: a warning, then the end. */
  idleWarningMs: number;
  idleEndMs: number;
  /** By voice nobody says anything: a nudge, a second one, and so long after it the end. */
  nudgeMs: number;
  nudgedEndMs: number;
  /** So long before the longest conversation is over, the visitor is told. */
  timeWarningMs: number;
  /** For the agent's closing words. The sweeper ends a session a minute after its longest conversation. */
  wrapUpMs: number;
  /** The socket stays for a rating. */
  ratingMs: number;
}

export const CALL_TIMES: Readonly<CallTimes> = {
  pingMs: 2_000,
  returnWithinMs: RETURN_WITHIN_SECS * 1_000,
  stoppedWithinMs: 300,
  idleWarningMs: 150_000,
  idleEndMs: 180_000,
  nudgeMs: 8_000,
  nudgedEndMs: 60_000,
  timeWarningMs: 120_000,
  wrapUpMs: 30_000,
  ratingMs: 120_000,
};

/** What one call is made of. */
export interface CallOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  clock: Clock;
  metrics: LiveMetrics;
  times: CallTimes;
  publicUrl: string;
  evaluateWithinSecs: number;
  session: ClaimedSession;
  agent: DemoAgent;
  /** What the session has used before. */
  spent: readonly LiveUsage[];
  /** What the session may cost; `null` for no limit. */
  maxCostMicros: number | null;
  /** Absent where visitors can only type. */
  speech?: Speech | undefined;
  converse: (
    listener: ConversationListener,
    voice: ConversationVoice | undefined,
  ) => Promise<Conversation>;
  /** The conversation is over, in this process at least, and takes no place any more. */
  onOver: () => void;
}
