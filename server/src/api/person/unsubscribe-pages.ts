import { fillWords } from "#language";
import { html } from "#platform";
import type { Words } from "@svc/contract/types";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

/** A page with one button, because programs that follow every link of a mail must not unsubscribe anybody. */
export function unsubscribePage(
  kept: KeptConversation | undefined,
  token: string,
  { person: { unsubscribe: words } }: Words,
): PersonPage {
  const { title, question } = kept
    ? {
        title: fillWords(words.title, named(kept)),
        question: fillWords(words.question, named(kept)),
      }
    : words.unnamed;
  return {
    title,
    body: html`
      <p>${question}</p>
      <form class="actions" method="post" action="${token}">
        <button class="button strong">${words.yes}</button>
      </form>
    `,
  };
}

export function unsubscribedPage(
  kept: KeptConversation | undefined,
  { person: { unsubscribe: words } }: Words,
): PersonPage {
  const done = kept ? fillWords(words.done, named(kept)) : words.unnamed.done;
  return { title: words.done_title, body: html`<p>${done}</p>` };
}

function named({ email, brandName }: KeptConversation): { address: string; brand: string } {
  return { address: email, brand: brandName };
}
