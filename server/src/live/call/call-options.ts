import { RETURN_WITHIN_SECS } from "@svc/contract/limits";
import type {
  Conversation,
  ConversationListener,
  ConversationVoice,
  DemoAgent,
  Speech,
} from "#conversation";
import type { Clock, Db, JobSender, Log } from "#platform";
import type { ClaimedSession, LiveUsage, Reservation } from "#sessions";
import type { Rooms } from "../media/rooms.ts";
import type { LiveMetrics } from "../metrics.ts";
import type { BudgetPrices } from "./session-budget.ts";
import type { MailFacts } from "./visitor-mail.ts";

/** The timeouts of a call, which tests shorten. */
export interface CallTimes {
  /** The interval of the browser's heartbeat. It takes a server that leaves three of them unanswered for dead. */
  pingMs: number;
  /** A browser that is silent for so long counts as lost. Those of hidden pages send a heartbeat once a second at most. */
  silentMs: number;
  /** A visitor who is away for longer is given up. */
  returnWithinMs: number;
  /** The time that a browser has to report where its sound stopped: a round trip with a margin. */
  stoppedWithinMs: number;
  /** A text call in which nobody does anything gets a warning, and then ends. */
  idleWarningMs: number;
  idleEndMs: number;
  /** A voice call in which nobody speaks gets a nudge, a second one, and ends `nudgedEndMs` after it. */
  nudgeMs: number;
  nudgedEndMs: number;
  /** The visitor is warned this long before the maximum duration of a conversation is reached. */
  timeWarningMs: number;
  /** The time for the agent's closing words. The sweeper ends a session a minute after its maximum duration. */
  wrapUpMs: number;
  /** The time for the summary on the visitor's last screen. Later, nobody is there to read it. */
  recapMs: number;
  /** The socket stays for a rating. */
  ratingMs: number;
}

export const CALL_TIMES: Readonly<CallTimes> = {
  pingMs: 400,
  silentMs: 6_000,
  returnWithinMs: RETURN_WITHIN_SECS * 1_000,
  stoppedWithinMs: 300,
  idleWarningMs: 150_000,
  idleEndMs: 180_000,
  nudgeMs: 8_000,
  nudgedEndMs: 60_000,
  timeWarningMs: 120_000,
  wrapUpMs: 30_000,
  recapMs: 8_000,
  ratingMs: 120_000,
};

/** The dependencies of one call. */
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
  /** The usage of the session before this call. */
  spent: readonly LiveUsage[];
  /** The maximum cost of the session; `null` for no limit. */
  maxCostMicros: number | null;
  /** The limit of its agent's day, infinite for none, and what it has reserved of it. */
  dayMicros: number;
  reservation: Reservation | undefined;
  prices: BudgetPrices;
  mail: MailFacts;
  /** Undefined while this process may speak; otherwise resolves when it knows which calls it still runs. */
  findingOut: () => Promise<void> | undefined;
  /** Absent where visitors can only type. */
  speech?: Speech | undefined;
  /** Absent where sound goes over the socket. */
  rooms?: Rooms | undefined;
  converse: (
    listener: ConversationListener,
    voice: ConversationVoice | undefined,
  ) => Promise<Conversation>;
  /** The conversation is over, in this process at least, and takes no place any more. */
  onOver: () => void;
}
