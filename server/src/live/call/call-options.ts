import type { Conversation, ConversationListener, DemoAgent, Media } from "#conversation";
import type { Clock, Db, JobSender, Log } from "#platform";
import type { ClaimedSession } from "#sessions";
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
  /** What the session may cost; `null` for no limit. */
  maxCostMicros: number | null;
  /** They talk by voice. It was asked for, and can be had. */
  byVoice: boolean;
  /** With `media` where they talk by voice. */
  converse: (listener: ConversationListener, media: Media | undefined) => Promise<Conversation>;
  /** The conversation is over, in this process at least, and takes no place any more. */
  onOver: () => void;
}
