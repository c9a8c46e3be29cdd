import { readAgentAtVersion } from "#agents";
import type { AgentConfig } from "#agents";
import { wordsOf } from "#language";
import { AppError } from "#platform";
import type { Db } from "#platform";
import { findPerson, tellSession } from "#sessions";
import type { SessionStory, SpokenTurn } from "#sessions";
import type { Evaluation, Metadata, SessionStatus, Words } from "@svc/contract/types";
import { normalAddress } from "./look-up.ts";

/** A conversation as the person who had it may read it. */
export interface OwnConversation {
  id: string;
  agentId: string;
  brandName: string;
  agentName: string;
  language: string | undefined;
  startedAt: Date;
  /** The turns as they were heard. */
  turns: SpokenTurn[];
  email: string | undefined;
  metadata: Metadata;
  summary: string | undefined;
  /** The hash of the list of those who got what was said, in hex. */
  recipientsSha256: string | undefined;
}

/** With our texts for its page, in its language. Without them where its language is not known. */
export interface ReadableConversation extends OwnConversation {
  words: Words | undefined;
}

/**
 * Also includes everything else that is stored about the person, for an operator who answers a
 * request for access.
 */
export interface SubjectConversation extends OwnConversation {
  accountName: string;
  clientId: string;
  status: SessionStatus;
  emailVerified: boolean | undefined;
  durationSecs: number | undefined;
  /** The page on which the conversation started. */
  page: string | undefined;
  noticeAcceptedAt: Date | undefined;
  evaluation: Evaluation | undefined;
  events: SessionStory["events"];
}

/** Undefined when the session never existed or has been erased. */
export async function readOwn(
  db: Db,
  sessionId: string,
): Promise<ReadableConversation | undefined> {
  const read = await readStory(db, sessionId);
  if (read === undefined) return undefined;
  const own = toOwn(read);
  const words = own.language === undefined ? undefined : wordsOf(read.languages, own.language);
  return { ...own, words };
}

/** Every conversation of an address, the oldest first within each account. */
export async function* subjectExport(
  db: Db,
  person: { email: string; accountId?: number | undefined },
): AsyncGenerator<SubjectConversation> {
  const email = normalAddress(person.email);
  const found = await findPerson(db, { ...person, email, limit: MAX_CONVERSATIONS });
  for (const { id } of found) {
    const read = await readStory(db, id);
    // The session was erased after it was found.
    if (read === undefined) continue;
    const { session, evaluation, events } = read.story;
    yield {
      ...toOwn(read),
      accountName: session.accountName,
      clientId: session.clientId,
      status: session.status,
      emailVerified: session.emailVerified ?? undefined,
      durationSecs: session.durationSecs ?? undefined,
      page: session.page ?? undefined,
      noticeAcceptedAt: session.noticeAt ?? undefined,
      evaluation,
      events,
    };
  }
}

/** Only ids are held in memory, so this bound only stops a runaway query. */
const MAX_CONVERSATIONS = 100_000;

interface Read {
  story: SessionStory;
  brandName: string;
  agentName: string;
  languages: AgentConfig["languages"];
}

async function readStory(db: Db, sessionId: string): Promise<Read | undefined> {
  try {
    const story = await tellSession(db, sessionId);
    const { agentId, agentVersion: version } = story.session;
    const { config } = await readAgentAtVersion(db, { agentId, version });
    const { brand, name: agentName, languages } = config;
    return { story, brandName: brand.name, agentName, languages };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

function toOwn({ story, brandName, agentName }: Read): OwnConversation {
  const { session, conversation, summary } = story;
  return {
    id: session.id,
    agentId: session.agentId,
    brandName,
    agentName,
    language: session.language ?? undefined,
    startedAt: session.createdAt,
    turns: conversation,
    email: session.email ?? undefined,
    metadata: session.metadata,
    summary,
    recipientsSha256: session.recipientsSha256 ?? undefined,
  };
}
