import { fillWords, joinSentences } from "#language";
import { html } from "#platform";
import type { Words } from "@svc/contract/types";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

export type WhatToDelete = "conversation" | "everything";

/** Asks once more. Nothing has happened yet. */
export function confirmPage(
  { email, brandName }: KeptConversation,
  what: WhatToDelete,
  token: string,
  { person: { confirm: words } }: Words,
): PersonPage {
  const names = { address: email, brand: brandName };
  const isAll = what === "everything";
  const goes = isAll ? fillWords(words.everything_goes, names) : words.goes;
  return {
    title: isAll ? fillWords(words.everything, names) : words.conversation,
    body: html`
      <p>${joinSentences(goes, words.final)}</p>
      <p class="quiet">${fillWords(words.copies, names)}</p>
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
  { person: { deleted: words } }: Words,
): PersonPage {
  const names = { brand: brandName };
  return {
    title: words.title,
    body: html`
      <p>${fillWords(words[what], names)}</p>
      <p>${joinSentences(fillWords(words.copies, names), words.backups)}</p>
      <dl>
        <div>
          <dt>${words.receipt}</dt>
          <dd><code>${receipt}</code></dd>
        </div>
      </dl>
      <p class="quiet">${words.receipt_is}</p>
    `,
  };
}
