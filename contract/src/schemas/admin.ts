import * as z from "zod";
import type * as types from "../types/admin.ts";
import { schemaOf } from "./schema-of.ts";

const at = z.iso.datetime();
const STATUS = z.enum(["active", "abandoned", "processed", "error"]);
const role = z.enum(["viewer", "operator", "admin"]);

export const ConsoleAccount: z.ZodType<types.ConsoleAccount> = schemaOf<types.ConsoleAccount>()(
  z.strictObject({ client_id: z.string(), name: z.string() }),
);

export const AccountRow: z.ZodType<types.AccountRow> = schemaOf<types.AccountRow>()(
  z.strictObject({
    id: z.int(),
    client_id: z.string(),
    name: z.string(),
    export_mode: z.enum(["settled_prefix", "as_available"]),
    working_tokens: z.int().describe("API tokens that are not revoked"),
    created_at: at,
    last_session_at: at.exactOptional().describe("When its newest session started, tests included"),
  }),
);

export const ConsoleAccounts: z.ZodType<types.ConsoleAccounts> = schemaOf<types.ConsoleAccounts>()(
  z.strictObject({ accounts: z.array(AccountRow) }),
);

export const ConsoleMe: z.ZodType<types.ConsoleMe> = schemaOf<types.ConsoleMe>()(
  z.strictObject({ name: z.string(), role, accounts: z.array(ConsoleAccount).exactOptional() }),
);

export const AdminErrorDetail: z.ZodType<types.AdminErrorDetail> =
  schemaOf<types.AdminErrorDetail>()(
    z.strictObject({
      code: z.enum([
        "invalid_input",
        "unauthorized",
        "other_origin",
        "forbidden",
        "not_found",
        "conflict",
      ]),
      message: z.string(),
    }),
  );

export const AdminErrorBody: z.ZodType<types.AdminErrorBody> = schemaOf<types.AdminErrorBody>()(
  z.strictObject({ error: AdminErrorDetail }),
);

const SESSION_ROW = {
  id: z.uuid(),
  client_id: z.string(),
  account_name: z.string(),
  agent_id: z.string(),
  agent_slug: z.string(),
  agent_version: z.int(),
  status: STATUS,
  test: z.boolean(),
  created_at: at,
  ended_at: at.exactOptional(),
  end_reason: z.string().exactOptional(),
  settled_at: at.exactOptional(),
  duration_secs: z.int().exactOptional(),
};
export const SessionRow: z.ZodType<types.SessionRow> = schemaOf<types.SessionRow>()(
  z.strictObject(SESSION_ROW),
);

export const ConsoleAgent: z.ZodType<types.ConsoleAgent> = schemaOf<types.ConsoleAgent>()(
  z.strictObject({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    client_id: z.string(),
    account_name: z.string(),
    state: z.enum(["live", "paused"]),
    version: z.int(),
    version_at: at,
    languages: z.array(z.string()),
    questions: z.array(z.string()),
    insights: z.array(z.string()),
  }),
);

export const ConsoleAgents: z.ZodType<types.ConsoleAgents> = schemaOf<types.ConsoleAgents>()(
  z.strictObject({ agents: z.array(ConsoleAgent) }),
);

export const FoundSession: z.ZodType<types.FoundSession> = z.strictObject({
  ...SESSION_ROW,
  email: z.string().exactOptional(),
  customer_name: z.string().exactOptional(),
  language: z.string().exactOptional(),
  mode: z.enum(["voice", "text"]).exactOptional(),
  qualification: z.enum(["qualified", "disqualified", "not_enough_data"]).exactOptional(),
  answers: z.record(z.string(), z.string()),
  insights: z.record(z.string(), z.string()),
  heard: z
    .strictObject({ role: z.enum(["user", "assistant"]), content: z.string() })
    .exactOptional(),
  delivery: z.enum(["delivered", "under_way", "failed"]).exactOptional(),
});

export const FoundSessions: z.ZodType<types.FoundSessions> = schemaOf<types.FoundSessions>()(
  z.strictObject({
    sessions: z.array(FoundSession),
    next: z.string().exactOptional(),
  }),
);

const WAITING = {
  waits_for: z.enum(["visitor", "conversation", "evaluation"]),
  until: at.exactOptional(),
  overdue: z.boolean(),
};
export const Waiting: z.ZodType<types.Waiting> = schemaOf<types.Waiting>()(z.strictObject(WAITING));

const UNSETTLED = { session_id: z.uuid(), created_at: at, ...WAITING };
export const UnsettledSession: z.ZodType<types.UnsettledSession> =
  schemaOf<types.UnsettledSession>()(z.strictObject(UNSETTLED));

const EDGE = { ...UNSETTLED, held: z.int() };
export const Edge: z.ZodType<types.Edge> = z.strictObject(EDGE);

export const AccountEdge: z.ZodType<types.AccountEdge> = z.strictObject({
  ...EDGE,
  client_id: z.string(),
  account_name: z.string(),
});

export const EndpointHealth: z.ZodType<types.EndpointHealth> = schemaOf<types.EndpointHealth>()(
  z.strictObject({
    waiting: z.int(),
    running: z.int(),
    failed: z.int().describe("Exhausted or orphaned, and not followed by a later delivery"),
    oldest_due_at: at
      .exactOptional()
      .describe("Since when the delivery that waits longest has been due"),
    last_finished: z
      .int()
      .describe("Of the newest finished deliveries, how many are judged: 100 at most"),
    last_delivered: z.int().describe("How many of these the receiver took"),
  }),
);

const ENDPOINT = {
  id: z.string(),
  url: z.string(),
  client_id: z.string(),
  account_name: z.string(),
  state: z.enum(["live", "paused", "removed"]),
  agents: z
    .array(z.strictObject({ id: z.string(), slug: z.string() }))
    .exactOptional()
    .describe("Absent: all agents of the account"),
  replay_exhausted: z.boolean(),
  added_at: at,
  secret_staged_at: at
    .exactOptional()
    .describe("Since when a new secret has been staged, which is not activated yet"),
  previous_secret_until: at
    .exactOptional()
    .describe("While a secret is rotated: until when the old one signs too"),
  health: EndpointHealth,
};
export const ConsoleEndpoint: z.ZodType<types.ConsoleEndpoint> = schemaOf<types.ConsoleEndpoint>()(
  z.strictObject(ENDPOINT),
);

export const ConsoleEndpoints: z.ZodType<types.ConsoleEndpoints> =
  schemaOf<types.ConsoleEndpoints>()(
    z.strictObject({ endpoints: z.array(ConsoleEndpoint), edges: z.array(AccountEdge) }),
  );

export const MailRow: z.ZodType<types.MailRow> = schemaOf<types.MailRow>()(
  z.strictObject({
    session_id: z.uuid(),
    state: z.enum(["waiting", "sending", "sent", "refused", "unknown", "skipped"]),
    reason: z
      .string()
      .exactOptional()
      .describe("Why it was skipped or refused, or what the mail server said last"),
    client_id: z.string(),
    account_name: z.string(),
    attempts: z.int().describe("Attempts that were begun"),
    created_at: at,
    due_at: at.exactOptional().describe("When it is tried next, while it waits"),
    finished_at: at.exactOptional(),
  }),
);

export const Story: z.ZodType<types.Story> = schemaOf<types.Story>()(
  z.strictObject({
    id: z.uuid(),
    account: ConsoleAccount,
    agent: z.strictObject({ id: z.string(), slug: z.string(), version: z.int() }),
    status: STATUS,
    test: z.boolean(),
    created_at: at,
    connect_by: at,
    ended_at: at.exactOptional(),
    end_reason: z.string().exactOptional(),
    evaluate_by: at.exactOptional(),
    settled_at: at.exactOptional(),
    error_reason: z.string().exactOptional(),
    duration_secs: z.int().exactOptional(),
    email: z.string().exactOptional(),
    email_verified: z.boolean().exactOptional(),
    language: z.string().exactOptional(),
    mode: z.enum(["voice", "text"]).exactOptional(),
    page: z.string().exactOptional(),
    notice: z
      .strictObject({
        sha256: z.string(),
        accepted_at: at,
        served_sha256: z.string().exactOptional(),
        received_at: at.exactOptional(),
        other_text: z.literal(true).exactOptional(),
        recipients_sha256: z.string().exactOptional(),
      })
      .exactOptional(),
    cost_micros: z.number().exactOptional(),
    metadata: z.record(z.string(), z.string()),
    conversation: z.array(
      z.strictObject({
        role: z.enum(["user", "assistant"]),
        content: z.string(),
        interrupted: z.literal(true).exactOptional(),
        at: at.exactOptional(),
      }),
    ),
    events: z.array(
      z.strictObject({
        at,
        kind: z.string(),
        detail: z.record(z.string(), z.unknown()),
        turn: z
          .int()
          .exactOptional()
          .describe("The place in the conversation of the turn it is about"),
      }),
    ),
    evaluations: z.array(
      z.strictObject({
        version: z.int(),
        state: z.enum(["pending", "written", "failed"]),
        requested_at: at,
        finished_at: at.exactOptional(),
        model: z.string().exactOptional(),
        input_tokens: z.int().exactOptional(),
        output_tokens: z.int().exactOptional(),
        cost_micros: z.int().exactOptional(),
        failure: z.string().exactOptional(),
        dropped: z
          .array(z.strictObject({ where: z.string(), why: z.string() }))
          .exactOptional()
          .describe("What the check of the evidence left out"),
        summary: z.string().exactOptional(),
        evaluation: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    ),
    summary: z.string().exactOptional(),
    evaluation: z.record(z.string(), z.unknown()).exactOptional(),
    mail: MailRow.exactOptional(),
    waiting: Waiting.exactOptional(),
    export: z.strictObject({
      mode: z.enum(["settled_prefix", "as_available"]),
      state: z.enum(["exported", "held", "not_settled", "test", "missing"]),
    }),
    edge: Edge.exactOptional(),
  }),
);

const DELIVERY = {
  id: z.int(),
  state: z.enum(["waiting", "running", "delivered", "exhausted", "orphaned", "cancelled"]),
  session_id: z.uuid(),
  email: z.string().exactOptional().describe("The visitor's address, if they gave one"),
  endpoint_id: z.string(),
  url: z.string(),
  client_id: z.string(),
  account_name: z.string(),
  attempts: z.int().describe("Recorded outcomes, three at most"),
  crashes: z.int().describe("Tries that a crash of ours cut short; they are no outcomes"),
  held_because: z
    .string()
    .exactOptional()
    .describe(
      "While it waits: why nothing could be sent when it was last due; no attempt was counted",
    ),
  last_outcome: z.string().exactOptional().describe("`answered`, or the class of the failure"),
  last_status: z.int().exactOptional(),
  followed: z.boolean().describe("A later delivery of its session went to the same endpoint"),
  replay_of: z.int().exactOptional(),
  created_at: at,
  due_at: at.exactOptional().describe("When it is tried next, while it waits"),
  finished_at: at.exactOptional(),
};
export const DeliveryRow: z.ZodType<types.DeliveryRow> = schemaOf<types.DeliveryRow>()(
  z.strictObject(DELIVERY),
);

export const DeliveryRows: z.ZodType<types.DeliveryRows> = schemaOf<types.DeliveryRows>()(
  z.strictObject({ deliveries: z.array(DeliveryRow), more: z.boolean() }),
);

export const EndpointDetail: z.ZodType<types.EndpointDetail> = z.strictObject({
  ...ENDPOINT,
  deliveries: z.array(DeliveryRow).describe("The newest ten"),
});

export const DeliveryDetail: z.ZodType<types.DeliveryDetail> = z.strictObject({
  ...DELIVERY,
  endpoint_state: z.enum(["live", "paused", "removed"]),
  behind: z.int().exactOptional().describe("The older delivery of its session that it waits for"),
  event: z.strictObject({
    id: z.string().describe("The header `webhook-id` of every attempt"),
    event_type: z.literal("session.evaluated"),
    evaluation: z.int().describe("The version of the session's evaluation"),
    at,
    bytes: z.int(),
    body: z.string().exactOptional().describe("With --body: what is sent, byte for byte"),
  }),
  log: z.array(
    z.strictObject({
      attempt: z.int(),
      started_at: at,
      took_ms: z.int(),
      outcome: z.string(),
      status: z.int().exactOptional(),
      detail: z.string().exactOptional(),
      answer: z.string().exactOptional().describe("The beginning of the receiver's answer"),
    }),
  ),
  replays: z.array(z.int()).describe("Deliveries that send the same again"),
});

const deliveryNumber = z.int().min(1);
const dry_run = z.boolean().exactOptional();
const SPAN = { from: at, to: at.exactOptional() };
export const ReplayOrder: z.ZodType<types.ReplayOrder> = schemaOf<types.ReplayOrder>()(
  z.union([
    z.strictObject({ ids: z.array(deliveryNumber).min(1).max(1_000), dry_run }),
    z.strictObject({ session_id: z.uuid(), dry_run }),
    z.strictObject({ endpoint_id: z.string(), failed_since: at, dry_run }),
    z.strictObject({ account: z.string(), failed_since: at, dry_run }),
    z.strictObject({ endpoint_id: z.string(), ...SPAN, dry_run }),
    z.strictObject({ account: z.string(), ...SPAN, dry_run }),
  ]),
);

export const ReplayReceipt: z.ZodType<types.ReplayReceipt> = schemaOf<types.ReplayReceipt>()(
  z.strictObject({
    dry_run: z.boolean(),
    replayed: z.int(),
    deliveries: z.array(
      z.strictObject({
        id: z.int().exactOptional().describe("Absent in a dry run"),
        replay_of: z.int(),
      }),
    ),
    left_out: z.strictObject({ under_way: z.int(), endpoint_removed: z.int() }),
  }),
);

export const EvaluationReceipt: z.ZodType<types.EvaluationReceipt> =
  schemaOf<types.EvaluationReceipt>()(
    z.strictObject({
      session_id: z.uuid(),
      request: z.enum(["requested", "joined"]),
      version: z.int(),
      status: STATUS,
    }),
  );

export const FunnelStepCount: z.ZodType<types.FunnelStepCount> = schemaOf<types.FunnelStepCount>()(
  z.strictObject({
    step: z.string(),
    count: z.int(),
    of: z.string().exactOptional(),
    share: z.number().exactOptional(),
  }),
);

export const ConsoleFunnel: z.ZodType<types.ConsoleFunnel> = schemaOf<types.ConsoleFunnel>()(
  z.strictObject({
    since: at,
    steps: z.array(FunnelStepCount),
    declined: z.int(),
    rows: z
      .array(
        z.strictObject({
          value: z.string().exactOptional(),
          name: z.string().exactOptional(),
          counts: z.record(z.string(), z.int()),
        }),
      )
      .exactOptional(),
  }),
);

export const TimeSpread: z.ZodType<types.TimeSpread> = schemaOf<types.TimeSpread>()(
  z.strictObject({ count: z.int(), p50_ms: z.int(), p95_ms: z.int() }),
);

const FIGURES = {
  started: z.int(),
  qualified: z.int(),
  delivered: z.int(),
  failed: z.int(),
  unanswered: z.int(),
  cost_micros: z.number(),
  cost_is_partial: z.boolean(),
  answers: TimeSpread.exactOptional(),
  interruptions: TimeSpread.exactOptional(),
};

export const ServiceFigures: z.ZodType<types.ServiceFigures> = schemaOf<types.ServiceFigures>()(
  z.strictObject(FIGURES),
);

export const DayFigures: z.ZodType<types.DayFigures> = schemaOf<types.DayFigures>()(
  z.strictObject({ day: z.iso.date(), ...FIGURES }),
);

export const AgentFigures: z.ZodType<types.AgentFigures> = schemaOf<types.AgentFigures>()(
  z.strictObject({ agent_id: z.string(), ...FIGURES }),
);

export const ConsoleFigures: z.ZodType<types.ConsoleFigures> = schemaOf<types.ConsoleFigures>()(
  z.strictObject({
    since: at,
    total: ServiceFigures,
    days: z.array(DayFigures),
    agents: z.array(AgentFigures),
  }),
);

export const GapQuote: z.ZodType<types.GapQuote> = schemaOf<types.GapQuote>()(
  z.strictObject({ session_id: z.uuid(), at, language: z.string(), question: z.string() }),
);

export const AgentGap: z.ZodType<types.AgentGap> = schemaOf<types.AgentGap>()(
  z.strictObject({
    about: z.string().describe("A model's short form of it, else the shortest question"),
    asked: z.int(),
    sessions: z.int(),
    first_at: at,
    last_at: at,
    last_version: z.int().describe("The agent's version that was asked last"),
    languages: z.array(z.string()),
    reasons: z
      .strictObject({ not_found: z.int(), said_unknown: z.int(), held: z.int() })
      .describe(
        "How often nothing was found, the agent said that it does not know, and sentences were held back",
      ),
    held: z.record(z.string(), z.int()).describe("Why sentences were held back, and how many"),
    quotes: z.array(GapQuote).describe("What was heard, the newest first"),
    draft: z.string().describe("A section of knowledge to fill in, as Markdown"),
  }),
);

export const AgentGaps: z.ZodType<types.AgentGaps> = schemaOf<types.AgentGaps>()(
  z.strictObject({
    agent_id: z.string(),
    slug: z.string(),
    since: at,
    sessions: z.int().describe("How many were read"),
    read_to: at.exactOptional().describe("Present where older sessions were not read"),
    gaps: z.array(AgentGap),
    more: z.int().describe("How many gaps are not listed"),
  }),
);

export const StatusProcess: z.ZodType<types.StatusProcess> = schemaOf<types.StatusProcess>()(
  z.strictObject({
    instance: z.string(),
    role: z.enum(["api", "live", "pipeline", "all"]),
    version: z.string(),
    pid: z.int(),
    state: z
      .enum(["running", "busy", "draining", "gone"])
      .describe(
        "busy: takes no new conversation for now; gone: died, or cannot reach the database; shown for ten minutes",
      ),
    started_at: z.iso.datetime(),
    seen_at: z.iso.datetime(),
    sessions: z.int().exactOptional(),
    capacity: z.int().exactOptional(),
    jobs: z.int().exactOptional(),
    job_slots: z.int().exactOptional(),
    requests_per_sec: z.number().exactOptional(),
    loop_delay_ms: z.int().exactOptional().describe("How late its event loop was, at p99"),
    memory_percent: z.int().exactOptional().describe("Of what the process may have"),
    busy: z.enum(["event_loop", "memory"]).exactOptional().describe("What it is short of"),
  }),
);

export const DeliveryBacklog: z.ZodType<types.DeliveryBacklog> = schemaOf<types.DeliveryBacklog>()(
  z.strictObject({
    waiting: z.int(),
    held: z.int().describe("Held back: something of the server is missing, such as a key"),
    running: z.int(),
    exhausted: z.int().describe("Failed for good, after every attempt"),
    orphaned: z.int().describe("Failed for good: the process that sent them died each time"),
    oldest_due_secs: z.int(),
  }),
);

export const ConsoleStatus: z.ZodType<types.ConsoleStatus> = schemaOf<types.ConsoleStatus>()(
  z.strictObject({
    live: z.strictObject({ sessions: z.int(), capacity: z.int() }),
    processes: z.array(StatusProcess),
    missing_roles: z.array(z.enum(["api", "live", "pipeline"])),
    oldest_unsettled: UnsettledSession.exactOptional(),
    evaluations: z.strictObject({ waiting: z.int(), running: z.int(), model_away: z.int() }),
    deliveries: DeliveryBacklog.exactOptional(),
  }),
);
