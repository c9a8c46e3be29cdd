import { letterLanguage } from "#followup";
import type { LetterLanguage, Mailed, PersonLinks } from "#followup";
import type { Clock, Db } from "#platform";
import type { Rights } from "#rights";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimit } from "../rate-limit.ts";
import { readKept } from "./kept-conversation.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import { browserLanguage, sendTrouble } from "./send-page.ts";

/** The router takes no parameter of more than 100 characters: a longer token is the rest of the path. */
type LinkRequest = FastifyRequest<{ Params: { token?: string; "*"?: string } }>;

export interface OpenedLink<Link = unknown, Kept = KeptConversation> {
  link: Link;
  kept: Kept;
  /** That of the conversation, as far as we write it. */
  language: LetterLanguage;
  token: string;
  request: LinkRequest;
  reply: FastifyReply;
}

type Handler = (request: LinkRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes a route's handler of what is to be done with what a link is about. */
export interface LinkOpener {
  rights(show: (opened: OpenedLink) => Promise<FastifyReply>): Handler;
  /** The conversation may be gone. */
  unsubscribe(
    show: (opened: OpenedLink<Mailed, KeptConversation | undefined>) => Promise<FastifyReply>,
  ): Handler;
}

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
}): LinkOpener {
  const { links } = parts;
  const rateLimit = new RateLimit(OPENED_PER_SECOND, OPENED_BURST, parts.clock);
  const open =
    <Link extends { sessionId: string }>(
      read: (token: string) => Link | undefined,
      show: (opened: OpenedLink<Link, KeptConversation | undefined>) => Promise<FastifyReply>,
    ): Handler =>
    async (request, reply) => {
      const { "*": rest = "", token = rest } = request.params;
      const link = read(token);
      if (link === undefined) return sendTrouble(request, reply, "deadLink");
      const waitSecs = rateLimit.take(token);
      if (waitSecs > 0) {
        return sendTrouble(request, reply.header("retry-after", waitSecs), "tooMany");
      }
      const kept = await readKept(parts, link.sessionId);
      const language =
        kept?.language === undefined ? browserLanguage(request) : letterLanguage(kept.language);
      return show({ link, kept, language, token, request, reply });
    };
  return {
    rights: (show) =>
      open(
        (token) => links.readRights(token),
        async ({ kept, ...opened }) =>
          kept === undefined
            ? sendTrouble(opened.request, opened.reply, "deadLink")
            : show({ ...opened, kept }),
      ),
    unsubscribe: (show) => open((token) => links.readUnsubscribe(token), show),
  };
}
