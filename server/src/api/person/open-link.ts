import { letterLanguage } from "#followup";
import type { LetterLanguage, LinkPurpose, PersonLinks } from "#followup";
import type { Clock, Db } from "#platform";
import type { Rights } from "#rights";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimit } from "../rate-limit.ts";
import { readKept } from "./read-kept.ts";
import type { KeptConversation } from "./read-kept.ts";
import { browserLanguage, sendTrouble } from "./send-trouble.ts";

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

export interface OpenedLink {
  kept: KeptConversation;
  /** That of the conversation, as far as we write it. */
  language: LetterLanguage;
  token: string;
  request: LinkRequest;
  reply: FastifyReply;
}

/** Makes a route's handler of what is to be done with the conversation that a link is about. */
export type OpenLink = (
  purpose: LinkPurpose,
  show: (opened: OpenedLink) => Promise<FastifyReply>,
) => (request: LinkRequest, reply: FastifyReply) => Promise<FastifyReply>;

const OPENED_PER_SECOND = 1;
const OPENED_BURST = 30;

/**
 * Limited by link and not by address: a mail provider unsubscribes thousands of people from one.
 * A link that we did not sign never reaches the database.
 */
export function createLinkOpener(parts: {
  db: Db;
  links: PersonLinks;
  rights: Rights;
  clock: Clock;
}): OpenLink {
  const limit = new RateLimit(OPENED_PER_SECOND, OPENED_BURST, parts.clock);
  return (purpose, show) => async (request, reply) => {
    const { token } = request.params;
    const link = parts.links.read(token, purpose);
    if (link === undefined) return sendTrouble(request, reply, "deadLink");
    const waitSecs = limit.take(link.sessionId);
    if (waitSecs > 0) return sendTrouble(request, reply.header("retry-after", waitSecs), "tooMany");
    const kept = await readKept(parts, link.sessionId);
    if (kept === undefined) return sendTrouble(request, reply, "deadLink");
    const language =
      kept.language === undefined ? browserLanguage(request) : letterLanguage(kept.language);
    return show({ kept, language, token, request, reply });
  };
}
