import { composeDeletionNotice } from "#followup";
import { MailError } from "#platform";
import type { Log, Mail } from "#platform";
import type { Erasure, Rights } from "#rights";
import type { Words } from "@svc/contract/types";
import type { WhatToDelete } from "./delete-pages.ts";
import type { KeptConversation } from "./kept-conversation.ts";

interface Parts {
  rights: Rights;
  mail: Mail;
  log: Pick<Log, "warn">;
}

/** Deletes what a person asked for and tells them by mail. Returns the receipt's id; undefined when somebody else was faster. */
export async function deleteKept(
  parts: Parts,
  kept: KeptConversation,
  what: WhatToDelete,
  words: Words,
): Promise<string | undefined> {
  const { id: sessionId, email, accountId } = kept;
  const [erasure] =
    what === "conversation"
      ? [await parts.rights.eraseSession({ sessionId, askedBy: "person", accountId })]
      : await parts.rights.erasePerson({ email, askedBy: "person", accountId });
  if (erasure === undefined) return undefined;
  // Not awaited: the conversation is deleted, and the page says so without the mail.
  void confirmByMail(parts, kept, { what, erasure, words });
  return erasure.id;
}

/** Once, as well as it goes: the address is kept nowhere any more, so there is no trying again. */
async function confirmByMail(
  { mail, log }: Parts,
  { email, brandName }: KeptConversation,
  done: { what: WhatToDelete; erasure: Erasure; words: Words },
): Promise<void> {
  const { what, erasure, words } = done;
  try {
    const { id: receipt, at } = erasure;
    const letter = composeDeletionNotice({ words, brandName, at, what, receipt });
    const headers = { "Auto-Submitted": "auto-replied" };
    await mail.send({ to: email, fromName: brandName, ...letter, headers });
  } catch (error) {
    // The error itself may quote the address.
    const reason = error instanceof MailError ? error.reason : "unexpected";
    log.warn({ receipt: erasure.id, reason }, "the notice of a deletion was not sent");
  }
}
