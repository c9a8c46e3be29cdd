import type { QualificationStatus } from "./evaluation.ts";

/** What an operator reads, on the command line with `--json` and over the admin API: the same shapes. */

/** Who is signed in to the console. */
export interface ConsoleMe {
  /** As the audit records them. */
  name: string;
  role: ConsoleRoleName;
  /** The accounts that they see; absent for all. */
  accounts?: ConsoleAccount[];
}

/** `viewer` reads; `operator` also evaluates again, replays deliveries and issues credentials; `admin` also erases and reads the audit. */
export type ConsoleRoleName = "viewer" | "operator" | "admin";

/** Customers, the oldest first. */
export interface ConsoleAccounts {
  accounts: AccountRow[];
}

/** A customer, by name. */
export interface ConsoleAccount {
  client_id: string;
  name: string;
}

/** A customer in a list. */
export interface AccountRow extends ConsoleAccount {
  id: number;
  export_mode: "settled_prefix" | "as_available";
  /** API tokens that are not revoked. */
  working_tokens: number;
  created_at: string;
  /** When its newest session started, tests included; absent where it has none. */
  last_session_at?: string;
}

/** Body of every answer of the admin API with a status of 400 or above. */
export interface AdminErrorBody {
  error: AdminErrorDetail;
}

/** What went wrong, for programs and for people. */
export interface AdminErrorDetail {
  /** Stable and machine-readable. */
  code: AdminErrorCode;
  /** What happened, why, and what to do next. */
  message: string;
}

export type AdminErrorCode =
  /** 400: the request does not fit what is documented. */
  | "invalid_input"
  /** 401: nobody is signed in, or the sign-in has ended. */
  | "unauthorized"
  /** 403: the request comes from a page of another origin. */
  | "other_origin"
  /** 403: the role does not allow it. */
  | "forbidden"
  /** 404: it does not exist, or belongs to an account that the person does not see. */
  | "not_found"
  /** 409: it exists, but in a state that does not allow this. */
  | "conflict";

/** A session without its contents. */
export interface SessionRow {
  id: string;
  client_id: string;
  account_name: string;
  agent_id: string;
  agent_slug: string;
  agent_version: number;
  status: "active" | "abandoned" | "processed" | "error";
  /** Test sessions are never exported, delivered or mailed. */
  test: boolean;
  created_at: string;
  ended_at?: string;
  /** How the conversation ended. */
  end_reason?: string;
  settled_at?: string;
  duration_secs?: number;
}

/** The agents of the accounts that the person sees. */
export interface ConsoleAgents {
  agents: ConsoleAgent[];
}

/** An agent with its current version. */
export interface ConsoleAgent {
  id: string;
  slug: string;
  name: string;
  client_id: string;
  account_name: string;
  state: "live" | "paused";
  version: number;
  version_at: string;
  /** The languages that it speaks, the first one first. */
  languages: string[];
  /** The keys of what it asks visitors. */
  questions: string[];
  /** The keys of what its evaluations look for beside the questions. */
  insights: string[];
}

/** Sessions that fit a search, the newest first. */
export interface FoundSessions {
  sessions: FoundSession[];
  /** Where the next page begins; absent on the last one. */
  next?: string;
}

/** A session with what its evaluation says in a word each. */
export interface FoundSession extends SessionRow {
  email?: string;
  customer_name?: string;
  language?: string;
  mode?: "voice" | "text";
  qualification?: QualificationStatus;
  /** The answers to the agent's questions, by their keys. */
  answers: Record<string, string>;
  /** What the agent's owner wanted to learn, by its keys. */
  insights: Record<string, string>;
  /** The first place where the text that was looked for was heard. */
  heard?: { role: "user" | "assistant"; content: string };
  /** What became of its newest event: the worst of its deliveries. */
  delivery?: "delivered" | "under_way" | "failed";
}

/** Everything about one session. */
export interface Story {
  id: string;
  account: ConsoleAccount;
  agent: { id: string; slug: string; version: number };
  status: "active" | "abandoned" | "processed" | "error";
  test: boolean;
  created_at: string;
  connect_by: string;
  ended_at?: string;
  end_reason?: string;
  evaluate_by?: string;
  settled_at?: string;
  error_reason?: string;
  duration_secs?: number;
  email?: string;
  /** Whether the domain of the address accepts mail. */
  email_verified?: boolean;
  language?: string;
  mode?: "voice" | "text";
  page?: string;
  /** What the visitor accepted, and when, as their page reports it, and what the server knows of it. */
  notice?: {
    /** Of the text that the page showed. */
    sha256: string;
    accepted_at: string;
    /** Of the text that the server has for this version of the agent and that language; absent in sessions of earlier releases, like `received_at`. */
    served_sha256?: string;
    /** The server's time. */
    received_at?: string;
    /** The page showed another text than the server's: the page's own, or one that was changed. */
    other_text?: true;
    /** The hash of the list of recipients that was valid then. */
    recipients_sha256?: string;
  };
  /** In millionths, evaluations included. */
  cost_micros?: number;
  metadata: Record<string, string>;
  /** What was heard and said. */
  conversation: {
    role: "user" | "assistant";
    content: string;
    interrupted?: true;
    at?: string;
  }[];
  /** What happened behind the conversation, each with the place of its turn where it belongs to one. */
  events: { at: string; kind: string; detail: Record<string, unknown>; turn?: number }[];
  /** Every run, the oldest first. */
  evaluations: {
    version: number;
    state: "pending" | "written" | "failed";
    requested_at: string;
    finished_at?: string;
    model?: string;
    input_tokens?: number;
    output_tokens?: number;
    cost_micros?: number;
    failure?: string;
    dropped?: { where: string; why: string }[];
    summary?: string;
    evaluation?: Record<string, unknown>;
  }[];
  summary?: string;
  evaluation?: Record<string, unknown>;
  /** The mail to the prospect, where one was ordered. */
  mail?: MailRow;
  waiting?: Waiting;
  /** Whether readers of the export get it. */
  export: {
    mode: "settled_prefix" | "as_available";
    state: "exported" | "held" | "not_settled" | "test" | "missing";
  };
  edge?: Edge;
}

/** What an unsettled session waits for. */
export interface Waiting {
  waits_for: "visitor" | "conversation" | "evaluation";
  until?: string;
  overdue: boolean;
}

/** The unsettled session that holds back an account's export. */
export interface Edge extends UnsettledSession {
  held: number;
}

/** The mail of one session. */
export interface MailRow {
  session_id: string;
  state: "waiting" | "sending" | "sent" | "refused" | "unknown" | "skipped";
  /** Why it was skipped or refused, or what the mail server said last. */
  reason?: string;
  client_id: string;
  account_name: string;
  /** Attempts that were begun. */
  attempts: number;
  created_at: string;
  /** When it is tried next, while it waits. */
  due_at?: string;
  finished_at?: string;
}

/** The receivers of the accounts that the person sees, and how far their exports have got. */
export interface ConsoleEndpoints {
  endpoints: ConsoleEndpoint[];
  /** Only of accounts whose export is held back. */
  edges: AccountEdge[];
}

/** A receiver, and how it does. */
export interface ConsoleEndpoint {
  id: string;
  url: string;
  client_id: string;
  account_name: string;
  state: "live" | "paused" | "removed";
  /** Absent: all agents of the account. */
  agents?: { id: string; slug: string }[];
  /** What failed for good is sent again by itself, once the receiver answers again. */
  replay_exhausted: boolean;
  added_at: string;
  /** Since when a new secret has been staged, which is not activated yet. */
  secret_staged_at?: string;
  /** While a secret is rotated: until when the old one signs too. */
  previous_secret_until?: string;
  health: EndpointHealth;
}

/** A receiver with its newest ten deliveries. */
export interface EndpointDetail extends ConsoleEndpoint {
  /** The newest ten. */
  deliveries: DeliveryRow[];
}

/** The state of a receiver's deliveries. */
export interface EndpointHealth {
  waiting: number;
  running: number;
  /** Exhausted or orphaned, and not followed by a later delivery. */
  failed: number;
  /** Since when the delivery that waits longest has been due. */
  oldest_due_at?: string;
  /** Of the newest finished deliveries, how many are judged: 100 at most. */
  last_finished: number;
  /** How many of these the receiver took. */
  last_delivered: number;
}

/** What holds back the export of one account. */
export interface AccountEdge extends Edge {
  client_id: string;
  account_name: string;
}

/** Deliveries, the newest first. */
export interface DeliveryRows {
  deliveries: DeliveryRow[];
  /** There are older ones. */
  more: boolean;
}

/** One event on its way to one receiver. */
export interface DeliveryRow {
  id: number;
  state: "waiting" | "running" | "delivered" | "exhausted" | "orphaned" | "cancelled";
  session_id: string;
  /** The visitor's address, if they gave one. */
  email?: string;
  endpoint_id: string;
  url: string;
  client_id: string;
  account_name: string;
  /** Recorded outcomes, three at most. */
  attempts: number;
  /** Tries that a crash of ours cut short; they are no outcomes. */
  crashes: number;
  /** While it waits: why nothing could be sent when it was last due; no attempt was counted. */
  held_because?: string;
  /** `answered`, or the class of the failure. */
  last_outcome?: string;
  last_status?: number;
  /** A later delivery of its session went to the same endpoint. */
  followed: boolean;
  replay_of?: number;
  created_at: string;
  /** When it is tried next, while it waits. */
  due_at?: string;
  finished_at?: string;
}

/** Everything about one delivery. */
export interface DeliveryDetail extends DeliveryRow {
  endpoint_state: "live" | "paused" | "removed";
  /** The older delivery of its session that it waits for. */
  behind?: number;
  event: {
    id: string;
    event_type: "session.evaluated";
    evaluation: number;
    at: string;
    bytes: number;
    body?: string;
  };
  /** Every attempt, the first one first. */
  log: {
    attempt: number;
    started_at: string;
    took_ms: number;
    outcome: string;
    status?: number;
    detail?: string;
    answer?: string;
  }[];
  /** Deliveries that send the same again. */
  replays: number[];
}

/**
 * Which deliveries to send again: some by their numbers, the newest of a session, or those of a
 * receiver or an account that failed for good since a time, or were written in a span of time.
 */
export type ReplayOrder =
  | { ids: number[]; dry_run?: boolean }
  | { session_id: string; dry_run?: boolean }
  | { endpoint_id: string; failed_since: string; dry_run?: boolean }
  | { account: string; failed_since: string; dry_run?: boolean }
  | { endpoint_id: string; from: string; to?: string; dry_run?: boolean }
  | { account: string; from: string; to?: string; dry_run?: boolean };

/** What is sent again. */
export interface ReplayReceipt {
  dry_run: boolean;
  replayed: number;
  /** `id` is absent in a dry run. */
  deliveries: { id?: number; replay_of: number }[];
  left_out: { under_way: number; endpoint_removed: number };
}

/** A new evaluation that was asked for. */
export interface EvaluationReceipt {
  session_id: string;
  /** `joined` when one was under way already. */
  request: "requested" | "joined";
  /** The version that the evaluation will have. */
  version: number;
  status: "active" | "abandoned" | "processed" | "error";
}

/** How far visitors came. */
export interface ConsoleFunnel {
  /** The beginning of a day in UTC. */
  since: string;
  steps: FunnelStepCount[];
  /** Visitors who closed the notice without starting. */
  declined: number;
  /** A row for each value of what was asked for. */
  rows?: { value?: string; name?: string; counts: Record<string, number> }[];
}

/** How well and at what cost visitors were served, in all, by day in UTC and by agent. */
export interface ConsoleFigures {
  /** The beginning of a day in UTC. */
  since: string;
  total: ServiceFigures;
  /** Days on which nothing was counted are absent. */
  days: DayFigures[];
  agents: AgentFigures[];
}

/** Sums of sessions, without tests and imported ones except in the cost. */
export interface ServiceFigures {
  started: number;
  qualified: number;
  /** Qualified, and arrived at every receiver. */
  delivered: number;
  /** Sessions that could not be evaluated. */
  failed: number;
  /** Settled sessions in which a question was left without an answer. */
  unanswered: number;
  /** What models and speech cost, in millionths. Uses without a price are not in it. */
  cost_micros: number;
  /** Some use had no price, so the cost is at least this. */
  cost_is_partial: boolean;
  /** From the end of the visitor's words to the first of the answer's, heard or read; absent where nothing was timed. */
  answers?: TimeSpread;
  /** From when the visitor's voice was noticed to the silence of the agent whom they interrupt. */
  interruptions?: TimeSpread;
}

/** The figures of one day. */
export interface DayFigures extends ServiceFigures {
  day: string;
}

/** The figures of one agent. */
export interface AgentFigures extends ServiceFigures {
  agent_id: string;
}

/** Half of them took at most `p50_ms`, and 95 of a hundred at most `p95_ms`: to 20 ms, above a second to 100 ms. */
export interface TimeSpread {
  count: number;
  p50_ms: number;
  p95_ms: number;
}

/** One step of the funnel. */
export interface FunnelStepCount {
  step: string;
  count: number;
  /** The step that the share is taken of. */
  of?: string;
  /** From 0 to 1. */
  share?: number;
}

/** What visitors asked and an agent could not answer. */
export interface AgentGaps {
  agent_id: string;
  slug: string;
  since: string;
  /** How many sessions were read. */
  sessions: number;
  /** The start of the oldest session that was read, where older ones were not. */
  read_to?: string;
  /** What most visitors asked first. */
  gaps: AgentGap[];
  /** How many gaps are not listed. */
  more: number;
}

/** Questions about the same thing. */
export interface AgentGap {
  /** A model's short form of it in the language of the knowledge, else the shortest question. */
  about: string;
  /** How often it was asked. */
  asked: number;
  /** In how many sessions. */
  sessions: number;
  first_at: string;
  last_at: string;
  /** The agent's version that was asked last. */
  last_version: number;
  languages: string[];
  /** How often nothing was found, the agent said that it does not know, and sentences of the answer were held back. */
  reasons: { not_found: number; said_unknown: number; held: number };
  /** Why sentences were held back, and how many. */
  held: Record<string, number>;
  /** What visitors were heard to ask, the newest first. */
  quotes: GapQuote[];
  /** A section of knowledge to fill in, as Markdown. */
  draft: string;
}

/** A question as it was heard. */
export interface GapQuote {
  session_id: string;
  at: string;
  language: string;
  question: string;
}

/** What runs, how busy it is, and what waits for it. */
export interface ConsoleStatus {
  /** Conversations that are going on, and how many the processes can hold. */
  live: { sessions: number; capacity: number };
  /** Only for people who see all accounts. */
  processes: StatusProcess[];
  missing_roles: ("api" | "live" | "pipeline")[];
  /** The session that has been unfinished for longest. Only for people who see all accounts. */
  oldest_unsettled?: UnsettledSession;
  /** `model_away`: no model answered, whether they still wait or have failed; they are retried until one does. */
  evaluations: { waiting: number; running: number; model_away: number };
  /** Only for people who see all accounts. */
  deliveries?: DeliveryBacklog;
}

/** A session that is not settled yet. */
export interface UnsettledSession extends Waiting {
  session_id: string;
  created_at: string;
}

/** Deliveries of all accounts that have not arrived. */
export interface DeliveryBacklog {
  waiting: number;
  /** Held back: something of the server is missing, such as a key. */
  held: number;
  running: number;
  /** Failed for good: after every attempt. */
  exhausted: number;
  /** Failed for good: the process that sent them died each time. */
  orphaned: number;
  oldest_due_secs: number;
}

/** A process. */
export interface StatusProcess {
  instance: string;
  role: "api" | "live" | "pipeline" | "all";
  version: string;
  pid: number;
  /** `busy` takes no new conversation for now; `gone` died, or cannot reach the database. */
  state: "running" | "busy" | "draining" | "gone";
  started_at: string;
  seen_at: string;
  sessions?: number;
  capacity?: number;
  jobs?: number;
  job_slots?: number;
  requests_per_sec?: number;
  /** How late its event loop was, at p99. */
  loop_delay_ms?: number;
  /** Of what the process may have. */
  memory_percent?: number;
  /** What it is short of. */
  busy?: "event_loop" | "memory";
}
