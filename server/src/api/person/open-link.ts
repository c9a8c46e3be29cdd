import type { Mailed, PersonLinks } from "#followup";
import type { Clock, Db } from "#platform";
import type { Rights } from "#rights";
import type { Words } from "@svc/contract/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimit } from "../rate-limit.ts";
import { readKept } from "./kept-conversation.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import { browserWords, sendTrouble } from "./send-page.ts";

/** The router takes no parameter of more than 100 characters: a longer token is the rest of the path. */
type LinkRequest = FastifyRequest<{ Params: { token?: string; "*"?: string } }>;

export interface OpenedLink<Link = unknown, Kept = KeptConversation> {
  link: Link;
  kept: Kept;
  /** In the language of the conversation, as far as there are words for it. */
  words: Words;
  token: string;
  request: LinkRequest;
  reply: FastifyReply;
}

type Handler = (request: LinkRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes a route's handler of what is to be done with what a link is about. */
export interface LinkOpener {
  confirm(show: (opened: OpenedLink<{ sessionId: string }>) => Promise<FastifyReply>): Handler;
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
      if (link === undefined) return sendTrouble(request, reply, "dead_link");
      const waitSecs = rateLimit.take(token);
      if (waitSecs > 0) {
        return sendTrouble(request, reply.header("retry-after", waitSecs), "too_many");
      }
      const kept = await readKept(parts, link.sessionId);
      const words = kept?.words ?? browserWords(request);
      return show({ link, kept, words, token, request, reply });
    };
  const openKept = (
    read: (token: string) => { sessionId: string } | undefined,
    show: (opened: OpenedLink<{ sessionId: string }>) => Promise<FastifyReply>,
  ): Handler =>
    open(read, async ({ kept, ...opened }) =>
      kept === undefined
        ? sendTrouble(opened.request, opened.reply, "dead_link")
        : show({ ...opened, kept }),
    );
  return {
    confirm: (show) => openKept((token) => links.readConfirm(token), show),
    rights: (show) => openKept((token) => links.readRights(token), show),
    unsubscribe: (show) => open((token) => links.readUnsubscribe(token), show),
  };
}
