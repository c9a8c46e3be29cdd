/** What an operator orders and gets back, on the command line and over the admin API: the same shapes. */

/** The API tokens of an account, the oldest first. */
export interface AccountTokens {
  client_id: string;
  name: string;
  tokens: ListedToken[];
}

/** An API token, without the token itself: only its hash is stored. */
export interface ListedToken {
  id: number;
  /** What it is for. */
  label: string;
  issued_at: string;
  /** Absent while it works. */
  revoked_at?: string;
}

/** An API token to issue. */
export interface TokenOrder {
  /** What it is for, so that you know it later. */
  label: string;
}

/** An API token, which is shown this once. */
export interface IssuedToken {
  id: number;
  client_id: string;
  name: string;
  label: string;
  token: string;
  /** The address of the export, where it is known. */
  url?: string;
}

/** A token that stops working. */
export interface RevokedToken {
  id: number;
  label: string;
  /** A server that has just seen it may take it for so long. */
  within_secs: number;
}

/** An agent that was paused or resumed. */
export interface AgentChange {
  id: string;
  slug: string;
  state: "live" | "paused";
  /** False when it was so before. */
  changed: boolean;
}

/** A receiver to register. */
export interface EndpointOrder {
  /** By its client id. */
  account: string;
  /** Where events are sent. */
  url: string;
  /** Only sessions of these agents, by id or slug; of all when absent. */
  agents?: string[];
  /** Sends what failed for good again by itself, once the receiver answers again. */
  replay_exhausted?: boolean;
}

/** A receiver that was registered, with its secret, which is shown this once. */
export interface AddedEndpoint {
  id: string;
  url: string;
  client_id: string;
  account_name: string;
  /** Absent: all agents of the account. */
  agents?: { id: string; slug: string }[];
  replay_exhausted: boolean;
  secret: string;
}

/** A receiver that was paused or resumed. */
export interface EndpointChange {
  id: string;
  url: string;
  state: "live" | "paused";
  /** False when it was so before. */
  changed: boolean;
  /** Deliveries that wait. */
  waiting: number;
}

/** How a receiver is removed. */
export interface RemovalOrder {
  /** Without it, a receiver with unfinished deliveries is not removed. */
  cancel_waiting?: boolean;
}

/** A receiver that was removed. */
export interface EndpointRemoval {
  id: string;
  /** Deliveries that will not be made. */
  cancelled: number;
}

/** One step in the replacement of a receiver's secret. */
export interface RotationOrder {
  /**
   * `stage` makes a new secret that the receiver can learn; `activate` signs with it; `cancel` forgets
   * it; `now` makes a new one and signs with it at once, because the old one has leaked.
   */
  step: "stage" | "activate" | "cancel" | "now";
}

/** How a receiver's secret was changed. */
export interface Rotation {
  id: string;
  change: "staged" | "activated" | "cancelled" | "replaced";
  /** The new secret, when it is made: it is shown this once. */
  secret?: string;
  /** Until then the old secret signs beside the new one, in `webhook-signature`. */
  previous_until?: string;
}

/** How a receiver is tested. */
export interface ReceiverTestOrder {
  /** Signs as after the staged secret is activated. */
  staged?: boolean;
}

/** What the receiver doctor found when it sent a made-up session in several ways. */
export interface ReceiverTest {
  url: string;
  checks: ReceiverCheck[];
  /** Code that fixes what was found. */
  cures: { checks: string[]; node: string; python: string }[];
}

/** One thing that the doctor looked at. */
export interface ReceiverCheck {
  name: string;
  state: "ok" | "warn" | "fail" | "skip";
  /** A sentence without its full stop. */
  says: string;
  fix?: string;
  took_ms?: number;
}

/** What to erase: one session, or every session of an address, in one account or in all. */
export type EraseOrder =
  | { session_id: string; dry_run?: boolean }
  | { email: string; account?: string; dry_run?: boolean };

/** What was erased, or would be. */
export interface Erased {
  /** False in a dry run: nothing was changed. */
  erased: boolean;
  accounts: ErasedAccount[];
}

/** What was erased of one account, or would be. */
export interface ErasedAccount {
  client_id: string;
  account_name: string;
  /** Absent when nothing was erased. */
  receipt?: string;
  sessions: number;
  /** For telling the customer, who may have copies. */
  session_ids: string[];
  /** Conversations that this ends. */
  going_on: number;
  /** Deliveries that will not be made. */
  deliveries_pending: number;
  first_at: string;
  last_at: string;
}

/** Receipts of what was erased, the newest first. */
export interface Erasures {
  erasures: ErasureReceipt[];
  /** There are older ones. */
  more: boolean;
}

/** A receipt: when, how much, and on whose word; never of whom. */
export interface ErasureReceipt {
  receipt: string;
  at: string;
  /** Absent when the account was removed. */
  client_id?: string;
  account_name?: string;
  scope: "person" | "session" | "retention";
  asked_by: string;
  sessions: number;
  deliveries_cancelled: number;
}

/** The tokens with which the person asks the admin API from a command line. */
export interface ConsoleTokens {
  /** Those that work, the newest first. */
  tokens: ConsoleToken[];
}

/** A token of a person, without the token itself: only its hash is stored. */
export interface ConsoleToken {
  id: number;
  /** Where its owner uses it. */
  label: string;
  issued_at: string;
  expires_at: string;
  used_at?: string;
}

/** A token of a person, which is shown this once. */
export interface IssuedConsoleToken extends ConsoleToken {
  token: string;
}
