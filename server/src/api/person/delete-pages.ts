import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import { personWords } from "./send-page.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

export type WhatToDelete = "conversation" | "everything";

/** Asks once more. Nothing has happened yet. */
export function confirmPage(
  { email, brandName }: KeptConversation,
  what: WhatToDelete,
  token: string,
  language: LetterLanguage,
): PersonPage {
  const { confirm: words } = personWords(language);
  const isAll = what === "everything";
  return {
    title: isAll ? words.everything(brandName) : words.conversation,
    body: html`
      <p>${isAll ? words.everythingGoes(email, brandName) : words.goes} ${words.final}</p>
      <p class="quiet">${words.copies(brandName)}</p>
      <form class="actions" method="post" action="delete">
        <input type="hidden" name="what" value="${what}" />
        <button class="button strong danger">${words.yes}</button>
        <a class="button" href="../${token}">${words.no}</a>
      </form>
    `,
  };
}

/** It is gone. */
export function deletedPage(
  { brandName }: KeptConversation,
  what: WhatToDelete,
  receipt: string,
  language: LetterLanguage,
): PersonPage {
  const { deleted: words } = personWords(language);
  return {
    title: words.title,
    body: html`
      <p>${words[what](brandName)}</p>
      <p>${words.copies(brandName)} ${words.backups}</p>
      <dl>
        <div>
          <dt>${words.receipt}</dt>
          <dd><code>${receipt}</code></dd>
        </div>
      </dl>
      <p class="quiet">${words.receiptIs}</p>
    `,
  };
}
