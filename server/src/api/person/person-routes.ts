import { confirmTranscript, suppress } from "#followup";
import type { AddressMarks, PersonLinks } from "#followup";
import type { Clock, Db, Mail } from "#platform";
import type { Rights } from "#rights";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod";
import { answerError } from "./answer-error.ts";
import { deleteKept } from "./delete-kept.ts";
import { confirmPage, deletedPage } from "./delete-pages.ts";
import { conversationFile } from "./kept-conversation.ts";
import { createLinkOpener } from "./open-link.ts";
import type { LinkOpener } from "./open-link.ts";
import { claimPage, rightsPage } from "./rights-page.ts";
import { PRIVATE, sendPage, sendTrouble } from "./send-page.ts";
import { unsubscribePage, unsubscribedPage } from "./unsubscribe-pages.ts";

export interface PersonRoutes {
  db: Db;
  links: PersonLinks;
  marks: AddressMarks;
  rights: Rights;
  mail: Mail;
  clock: Clock;
}

const MAX_BYTES = 4_096;

/**
 * Adds the pages behind the links in a mail: `/you/…`. The token in the path is the whole credential, and no
 * browser sends it by itself. So a form needs no second token against requests from other sites:
 * who could write such a request could open the page too.
 */
export function addPersonRoutes(app: FastifyInstance, options: PersonRoutes): void {
  void app.register(async (person) => {
    // A mail provider may send its one-click request as either kind of form.
    person.removeAllContentTypeParsers();
    person.addContentTypeParser(
      "*",
      { parseAs: "string", bodyLimit: MAX_BYTES },
      async (_request: unknown, body: string) => body,
    );
    person.setErrorHandler(answerError);
    const open = createLinkOpener(options);
    addRightsRoutes(person, options, open);
    addConfirmRoutes(person, options, open);
    addUnsubscribeRoutes(person, options, open);
    person.get("/you/*", async (request, reply) => sendTrouble(request, reply, "dead_link"));
  });
}

function addRightsRoutes(app: FastifyInstance, options: PersonRoutes, open: LinkOpener): void {
  app.get(
    "/you/:token",
    open.rights(async ({ kept, words, token, reply }) =>
      sendPage(reply, words, rightsPage(kept, token, words)),
    ),
  );
  app.get(
    "/you/:token/conversation.json",
    open.rights(async ({ kept, token, reply }) => {
      if (!kept.isReadable) return backToRights(reply, token);
      const day = kept.startedAt.toISOString().slice(0, 10);
      return reply
        .headers(PRIVATE)
        .header("content-disposition", `attachment; filename="conversation-${day}.json"`)
        .type("application/json; charset=utf-8")
        .send(conversationFile(kept));
    }),
  );
  app.get(
    "/you/:token/delete",
    open.rights(async ({ kept, words, token, request, reply }) => {
      const asked = WhatToDelete.safeParse(request.query);
      if (!asked.success) return backToRights(reply, token);
      return sendPage(reply, words, confirmPage(kept, asked.data.what, token, words));
    }),
  );
  app.post(
    "/you/:token/delete",
    open.rights(async ({ kept, words, token, request, reply }) => {
      const asked = WhatToDelete.safeParse(formOf(request.body));
      if (!asked.success) return backToRights(reply, token);
      const { what } = asked.data;
      const receipt = await deleteKept({ ...options, log: request.log }, kept, what, words);
      if (receipt === undefined) return sendTrouble(request, reply, "dead_link");
      return sendPage(reply, words, deletedPage(kept, what, receipt, words));
    }),
  );
}

const WhatToDelete = z.object({ what: z.enum(["conversation", "everything"]) });

function formOf(body: unknown): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(typeof body === "string" ? body : ""));
}

/** Sends a request that does not say what to delete back to the page, so that it deletes nothing. */
function backToRights(reply: FastifyReply, token: string): FastifyReply {
  return reply.headers(PRIVATE).redirect(`../${token}`, 303);
}

function addConfirmRoutes(
  app: FastifyInstance,
  { db, links }: PersonRoutes,
  open: LinkOpener,
): void {
  app.get(
    "/you/confirm/:token",
    open.confirm(async ({ kept, words, token, reply }) =>
      sendPage(reply, words, claimPage(kept, token, words)),
    ),
  );
  app.post(
    "/you/confirm/:token",
    open.confirm(async ({ link: { sessionId }, reply }) => {
      await confirmTranscript(db, sessionId);
      return reply.headers(PRIVATE).redirect(links.rights(sessionId), 303);
    }),
  );
}

function addUnsubscribeRoutes(
  app: FastifyInstance,
  { db, marks }: PersonRoutes,
  open: LinkOpener,
): void {
  app.get(
    "/you/unsubscribe/*",
    open.unsubscribe(async ({ kept, words, token, reply }) =>
      sendPage(reply, words, unsubscribePage(kept, token, words)),
    ),
  );
  // The request comes from the button, or from a mail program with one click (RFC 8058), whose body says nothing more.
  app.post(
    "/you/unsubscribe/*",
    open.unsubscribe(async ({ link, kept, words, reply }) => {
      const { accountId, mark } = link;
      // Uses the newest key while the address is known: the key that made the link may have been removed.
      const own: [Buffer, ...Buffer[]] = kept === undefined ? [mark] : marks.marks(kept.email);
      await suppress(db, { accountId, marks: own, source: "unsubscribed" });
      return sendPage(reply, words, unsubscribedPage(kept, words));
    }),
  );
}
