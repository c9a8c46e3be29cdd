import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import { personWords } from "./send-page.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

/** A page with one button, because programs that follow every link of a mail must not unsubscribe anybody. */
export function unsubscribePage(
  kept: KeptConversation | undefined,
  token: string,
  language: LetterLanguage,
): PersonPage {
  const { unsubscribe: words } = personWords(language);
  const { title, question } = kept
    ? {
        title: words.title(kept.brandName),
        question: words.question(kept.email, kept.brandName),
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
  language: LetterLanguage,
): PersonPage {
  const { unsubscribe: words } = personWords(language);
  const done = kept ? words.done(kept.email, kept.brandName) : words.unnamed.done;
  return { title: words.doneTitle, body: html`<p>${done}</p>` };
}
