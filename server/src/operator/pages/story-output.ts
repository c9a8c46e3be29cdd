import type { ListedFollowUp } from "#followup";
import type { SessionStory } from "#sessions";
import * as z from "zod";
import { Edge, toEdge, toWaiting, Waiting } from "./export-edge.ts";
import { MailRow, toMailRow } from "./mail-page.ts";

/** Everything of one session, as `sessions show --json` prints it. */
export interface Story {
  id: string;
  account: { client_id: string; name: string };
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
  email_verified?: boolean;
  language?: string;
  mode?: "voice" | "text";
  page?: string;
  /** What the visitor accepted, and when. */
  notice?: { sha256: string; accepted_at: string };
  cost_micros?: number;
  metadata: Record<string, string>;
  conversation: {
    role: "user" | "assistant";
    content: string;
    interrupted?: true;
    at?: string;
  }[];
  events: { at: string; kind: string; detail: Record<string, unknown> }[];
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
  }[];
  summary?: string;
  evaluation?: Record<string, unknown>;
  /** The mail to the prospect, where one was ordered. */
  mail?: MailRow;
  waiting?: Waiting;
  export: {
    mode: "settled_prefix" | "as_available";
    state: "exported" | "held" | "not_settled" | "test" | "missing";
  };
  edge?: Edge;
}

const at = z.iso.datetime();
export const Story: z.ZodType<Story> = z.strictObject({
  id: z.uuid(),
  account: z.strictObject({ client_id: z.string(), name: z.string() }),
  agent: z.strictObject({ id: z.string(), slug: z.string(), version: z.int() }),
  status: z.enum(["active", "abandoned", "processed", "error"]),
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
  notice: z.strictObject({ sha256: z.string(), accepted_at: at }).exactOptional(),
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
    z.strictObject({ at, kind: z.string(), detail: z.record(z.string(), z.unknown()) }),
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
});

function noticeOf({ noticeSha256, noticeAt }: SessionStory["session"]): Story["notice"] {
  if (noticeSha256 === null || noticeAt === null) return undefined;
  return { sha256: noticeSha256, accepted_at: noticeAt.toISOString() };
}

export function toStory(
  { session, ...story }: SessionStory,
  mail: ListedFollowUp | undefined,
): Story {
  return present({
    id: session.id,
    account: { client_id: session.clientId, name: session.accountName },
    agent: { id: session.agentId, slug: session.agentSlug, version: session.agentVersion },
    status: session.status,
    test: session.test,
    created_at: session.createdAt.toISOString(),
    connect_by: session.connectBy.toISOString(),
    ended_at: session.endedAt?.toISOString(),
    end_reason: session.endReason,
    evaluate_by: session.evaluateBy?.toISOString(),
    settled_at: session.settledAt?.toISOString(),
    error_reason: session.errorReason,
    duration_secs: session.durationSecs,
    email: session.email,
    email_verified: session.emailVerified,
    language: session.language,
    mode: session.mode,
    page: session.page,
    notice: noticeOf(session),
    cost_micros: session.costMicros || undefined,
    metadata: session.metadata,
    conversation: story.conversation.map((turn) =>
      present({
        role: turn.role,
        content: turn.content,
        interrupted: turn.interrupted || undefined,
        at: turn.at?.toISOString(),
      }),
    ),
    events: story.events.map((event) => ({ ...event, at: event.at.toISOString() })),
    evaluations: story.evaluations.map((run) =>
      present({
        version: run.version,
        state: run.state,
        requested_at: run.requestedAt.toISOString(),
        finished_at: run.finishedAt?.toISOString(),
        model: run.model,
        input_tokens: run.inputTokens,
        output_tokens: run.outputTokens,
        cost_micros: run.costMicros,
        failure: run.failure,
        dropped: run.dropped,
      }),
    ),
    summary: story.summary,
    evaluation: story.evaluation,
    mail: mail && toMailRow(mail),
    waiting: story.waiting && toWaiting(story.waiting),
    export: { mode: session.exportMode, state: story.exported },
    edge: story.hold && toEdge(story.hold),
  }) as Story;
}

/** Without what is not there. */
function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]: Exclude<T[K], null> };
}
