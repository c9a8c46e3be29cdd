import type { ListedFollowUp } from "#followup";
import type { FoundSession as Found, ListedSession, SessionStory } from "#sessions";
import type { Arrival } from "#webhooks";
import type { FoundSession, SessionRow, Story } from "@svc/contract/types";
import { toEdge, toWaiting } from "./export-edge.ts";
import { toMailRow } from "./mail-page.ts";
import { withTurns } from "./turn-events.ts";

function noticeOf(session: SessionStory["session"]): Story["notice"] {
  const { noticeSha256, noticeAt, noticeServedSha256, noticeReceivedAt } = session;
  const { recipientsSha256 } = session;
  if (noticeSha256 === null || noticeAt === null) return undefined;
  return {
    sha256: noticeSha256,
    accepted_at: noticeAt.toISOString(),
    ...(noticeServedSha256 !== null && { served_sha256: noticeServedSha256 }),
    ...(noticeReceivedAt !== null && { received_at: noticeReceivedAt.toISOString() }),
    ...(noticeServedSha256 !== null && noticeServedSha256 !== noticeSha256 && { other_text: true }),
    ...(recipientsSha256 !== null && { recipients_sha256: recipientsSha256 }),
  };
}

export function toStory(
  { session, ...story }: SessionStory,
  mail: ListedFollowUp | undefined,
): Story {
  const conversation = story.conversation.map((turn) =>
    present({
      role: turn.role,
      content: turn.content,
      interrupted: turn.interrupted || undefined,
      at: turn.at?.toISOString(),
    }),
  ) as Story["conversation"];
  const events = story.events.map((event) => ({ ...event, at: event.at.toISOString() }));
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
    conversation,
    events: withTurns(conversation, events),
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
        summary: run.summary,
        evaluation: run.evaluation,
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

function toSessionRow(one: ListedSession): SessionRow {
  return {
    id: one.id,
    client_id: one.clientId,
    account_name: one.accountName,
    agent_id: one.agentId,
    agent_slug: one.agentSlug,
    agent_version: one.agentVersion,
    status: one.status,
    test: one.test,
    created_at: one.createdAt.toISOString(),
    ...(one.endedAt !== null && { ended_at: one.endedAt.toISOString() }),
    ...(one.endReason !== null && { end_reason: one.endReason }),
    ...(one.settledAt !== null && { settled_at: one.settledAt.toISOString() }),
    ...(one.durationSecs !== null && { duration_secs: one.durationSecs }),
  };
}

export function toFoundSession(one: Found, delivery: Arrival | undefined): FoundSession {
  const { email, language, mode, evaluation, heard } = one;
  const { customer_name: name, qualification, questions = {}, insights = {} } = evaluation ?? {};
  const answers = Object.entries(questions).flatMap(([key, { answer }]) =>
    answer === undefined ? [] : [[key, answer]],
  );
  return {
    ...toSessionRow(one),
    ...(email !== null && { email }),
    ...(name !== undefined && { customer_name: name }),
    ...(language !== null && { language }),
    ...(mode !== null && { mode }),
    ...(qualification !== undefined && { qualification: qualification.status }),
    answers: Object.fromEntries(answers) as Record<string, string>,
    insights: Object.fromEntries(Object.entries(insights).map(([key, { value }]) => [key, value])),
    ...(heard !== undefined && { heard: { role: heard.role, content: heard.content } }),
    ...(delivery !== undefined && { delivery }),
  };
}
