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
import type { CallTimes } from "./call-times.ts";

/** What one call is made of. */
export interface CallOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  clock: Clock;
  told: LiveMetrics;
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
